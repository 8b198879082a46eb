import { screens } from "../screens/screens";

/** A shortcut: keys pressed one after the other; `Mod` is Command on a Mac, else Control. */
export interface Shortcut {
	id: string;
	keys: readonly string[];
	/** Keys that do the same, for keyboards that have the others only with a third one held. */
	or?: readonly string[];
	title: string;
	group: "Everywhere" | "Go to" | "In a table";
}

/** The one table of shortcuts, which the help prints. */
export const shortcuts: readonly Shortcut[] = [
	{ id: "search", keys: ["Mod+k"], title: "Search screens, departments, accounts and symbols", group: "Everywhere" },
	{ id: "previous", keys: ["["], or: [","], title: "Period before", group: "Everywhere" },
	{ id: "next", keys: ["]"], or: ["."], title: "Period after", group: "Everywhere" },
	{ id: "help", keys: ["?"], title: "These keys", group: "Everywhere" },
	...screens.map((s) => ({ id: s.id, keys: ["g", s.key], title: s.title, group: "Go to" as const })),
	{ id: "table.move", keys: ["Arrows"], title: "Move from cell to cell", group: "In a table" },
	{ id: "table.open", keys: ["Enter"], title: "Open the row or its link", group: "In a table" },
	{ id: "table.copy", keys: ["Mod+c"], title: "Copy the exact number", group: "In a table" },
];

/** What a shortcut is recognised by, of a KeyboardEvent. */
export interface Press {
	key: string;
	ctrlKey: boolean;
	metaKey: boolean;
	altKey: boolean;
	/** When, in milliseconds. */
	timeStamp: number;
}

/** The longest pause between the keys of one shortcut, in milliseconds. */
export const longestPause = 1500;

/** Keyboard recognises shortcuts in what is pressed. */
export class Keyboard {
	#before = "";
	#at = 0;

	/** press is the id of the shortcut that the press completes; tables see to their own. */
	press(press: Press): string | undefined {
		const key = named(press);
		const sequence = this.#before && press.timeStamp - this.#at <= longestPause ? `${this.#before} ${key}` : key;
		const everywhere = shortcuts.filter((s) => s.group !== "In a table");
		const of = (pressed: string) => everywhere.find((s) => ways(s).includes(pressed));
		const found = of(sequence) ?? of(key);
		this.#before = !found && everywhere.some((s) => s.keys.length > 1 && s.keys[0] === key) ? key : "";
		this.#at = press.timeStamp;
		return found?.id;
	}
}

/** ways are the presses that a shortcut is recognised by. */
export function ways({ keys, or }: Shortcut): string[] {
	return [keys, or ?? []].filter((each) => each.length > 0).map((each) => each.join(" "));
}

function named(press: Press): string {
	if (press.altKey) return `Alt+${press.key}`;
	return press.ctrlKey || press.metaKey ? `Mod+${press.key.toLowerCase()}` : press.key;
}

/** printed is a key as a keyboard of this system is labelled. */
export function printed(key: string, mac: boolean): string {
	return key
		.replace("Mod+", mac ? "⌘ " : "Ctrl ")
		.replace("Arrows", "← ↑ ↓ →")
		.replace(/[a-z]$/, (letter) => (key.includes("Mod") ? letter.toUpperCase() : letter));
}

import { screens } from "../screens/screens";

/** A shortcut: keys pressed one after the other. `Mod` is Command on a Mac, else Control. */
export interface Shortcut {
	id: string;
	keys: readonly string[];
	/** Alternative keys, for keyboards on which `keys` need a modifier. */
	or?: readonly string[];
	title: string;
	group: "Everywhere" | "Go to" | "In a table";
}

/** The shortcuts of the page; the dialog lists them. */
export const shortcuts: readonly Shortcut[] = [
	{ id: "search", keys: ["Mod+k"], title: "Search screens, departments, accounts and symbols", group: "Everywhere" },
	{ id: "previous", keys: ["["], or: [","], title: "Previous period", group: "Everywhere" },
	{ id: "next", keys: ["]"], or: ["."], title: "Next period", group: "Everywhere" },
	{ id: "shortcuts", keys: ["?"], title: "Keyboard shortcuts", group: "Everywhere" },
	...screens.map((s) => ({ id: s.id, keys: ["g", s.key], title: s.title, group: "Go to" as const })),
	{ id: "table.move", keys: ["Arrows"], title: "Move from cell to cell", group: "In a table" },
	{ id: "table.open", keys: ["Enter"], title: "Open the row or its link", group: "In a table" },
	{ id: "table.copy", keys: ["Mod+c"], title: "Copy the exact number", group: "In a table" },
];

/** The part of a KeyboardEvent that a shortcut depends on. */
export interface Press {
	key: string;
	ctrlKey: boolean;
	metaKey: boolean;
	altKey: boolean;
	/** The time of the event in milliseconds. */
	timeStamp: number;
}

/** The longest pause between the keys of one shortcut, in milliseconds. */
export const longestPause = 1500;

/** Keyboard recognises shortcuts. */
export class Keyboard {
	#before = "";
	#at = 0;

	/** press returns the id of the shortcut that a key completes. Tables handle their own keys. */
	press(press: Press): string | undefined {
		const key = named(press);
		const sequence = this.#before && press.timeStamp - this.#at <= longestPause ? `${this.#before} ${key}` : key;
		const everywhere = shortcuts.filter((s) => s.group !== "In a table");
		const of = (pressed: string) => everywhere.find((s) => sequences(s).includes(pressed));
		const found = of(sequence) ?? of(key);
		this.#before = !found && everywhere.some((s) => s.keys.length > 1 && s.keys[0] === key) ? key : "";
		this.#at = press.timeStamp;
		return found?.id;
	}
}

/** sequences returns the key sequences of a shortcut. */
export function sequences({ keys, or }: Shortcut): string[] {
	return [keys, or ?? []].filter((each) => each.length > 0).map((each) => each.join(" "));
}

function named(press: Press): string {
	if (press.altKey) return `Alt+${press.key}`;
	return press.ctrlKey || press.metaKey ? `Mod+${press.key.toLowerCase()}` : press.key;
}

/** keyLabel returns the label of a key on this system. */
export function keyLabel(key: string, mac: boolean): string {
	return key
		.replace("Mod+", mac ? "⌘ " : "Ctrl ")
		.replace("Arrows", "← ↑ ↓ →")
		.replace(/[a-z]$/, (letter) => (key.includes("Mod") ? letter.toUpperCase() : letter));
}

import { describe, expect, it } from "vitest";
import { Keyboard, keyLabel, longestPause, type Press, sequences, shortcuts } from "./shortcuts";

function press(key: string, timeStamp = 0, held: Partial<Press> = {}): Press {
	return { key, ctrlKey: false, metaKey: false, altKey: false, timeStamp, ...held };
}

describe("Keyboard", () => {
	it("recognises the keys of the periods", () => {
		const keyboard = new Keyboard();
		expect(keyboard.press(press("["))).toBe("previous");
		expect(keyboard.press(press("]"))).toBe("next");
	});

	it("accepts alternative keys that need no modifier", () => {
		const keyboard = new Keyboard();
		expect(keyboard.press(press(","))).toBe("previous");
		expect(keyboard.press(press("."))).toBe("next");
	});

	it("treats Control and Command alike, and reads shifted letters", () => {
		for (const held of [{ ctrlKey: true }, { metaKey: true }]) {
			expect(new Keyboard().press(press("k", 0, held))).toBe("search");
			expect(new Keyboard().press(press("K", 0, held))).toBe("search");
		}
		expect(new Keyboard().press(press("k"))).toBeUndefined();
		expect(new Keyboard().press(press("[", 0, { altKey: true }))).toBeUndefined();
	});

	it("recognises two keys as one shortcut", () => {
		const keyboard = new Keyboard();
		expect(keyboard.press(press("g", 0))).toBeUndefined();
		expect(keyboard.press(press("v", longestPause))).toBe("variance");
	});

	it("forgets the first key after a pause, and after another key", () => {
		const keyboard = new Keyboard();
		keyboard.press(press("g", 0));
		expect(keyboard.press(press("v", longestPause + 1))).toBeUndefined();
		keyboard.press(press("g", 5000));
		expect(keyboard.press(press("?", 5001))).toBe("shortcuts");
		expect(keyboard.press(press("v", 5002))).toBeUndefined();
	});

	it("starts over with a second g", () => {
		const keyboard = new Keyboard();
		keyboard.press(press("g", 0));
		expect(keyboard.press(press("g", 1))).toBeUndefined();
		expect(keyboard.press(press("a", 2))).toBe("alerts");
	});

	it("ignores the keys of tables", () => {
		expect(new Keyboard().press(press("c", 0, { ctrlKey: true }))).toBeUndefined();
	});
});

it("no two shortcuts have the same keys or the same id", () => {
	const all = shortcuts.flatMap(sequences);
	expect(new Set(all).size).toBe(all.length);
	expect(new Set(shortcuts.map((s) => s.id)).size).toBe(shortcuts.length);
});

it("keys are labelled as on the keyboard", () => {
	expect(keyLabel("Mod+k", true)).toBe("⌘ K");
	expect(keyLabel("Mod+k", false)).toBe("Ctrl K");
	expect(keyLabel("g", false)).toBe("g");
});

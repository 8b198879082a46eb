import type { Visitor } from "./visitor.ts";

/** wizardOf returns how a reader without a mouse goes through the import of a file. */
export function wizardOf(visitor: () => Visitor) {
	/** to presses Tab until the focus is on what has a name, as a reader without a mouse does. */
	async function to(name: string | RegExp): Promise<void> {
		const seen: string[] = [];
		for (let i = 0; i < 80; i++) {
			const focused = await visitor().page.evaluate(() => {
				const at = document.activeElement as HTMLInputElement | null;
				const named =
					at?.getAttribute("aria-label") ??
					at?.labels?.[0]?.innerText ??
					(at?.matches("main, .step") ? "" : at?.innerText);
				return (named ?? "").replace(/\s+/g, " ").trim();
			});
			if (typeof name === "string" ? focused === name : name.test(focused)) return;
			seen.push(focused.slice(0, 40));
			await visitor().page.keyboard.press("Tab");
		}
		throw new Error(`Tab reaches no ${name}: ${seen.join(" | ")}`);
	}

	async function press(name: string | RegExp, key = "Enter"): Promise<void> {
		await to(name);
		await visitor().page.keyboard.press(key);
	}

	/** choose chooses a file of a kind by keys. */
	async function choose(kind: string, file: string, text: string | Buffer): Promise<void> {
		// The browser learns of the listener before the key is pressed.
		const opened = visitor().page.waitForEvent("filechooser");
		await visitor().see(`import?kind=${kind}`);
		await to("Choose a file");
		await visitor().page.keyboard.press("Enter");
		const chooser = await opened;
		await chooser.setFiles({ name: file, mimeType: "text/csv", buffer: Buffer.from(text) });
		await visitor().page.waitForURL(/[?&]id=/);
		await visitor().settled();
	}

	/** told waits until a text is shown. */
	async function told(text: string | RegExp): Promise<void> {
		await visitor().page.getByText(text).first().waitFor();
	}

	/** kept reports whether something on the page has the focus, so that the next Tab goes on from there. */
	async function kept(): Promise<boolean> {
		return visitor().page.evaluate(() => document.activeElement !== document.body);
	}

	return { to, press, choose, told, kept };
}

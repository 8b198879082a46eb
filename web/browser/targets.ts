import type { Page } from "playwright-core";

/**
 * smallTargets returns what is pressed on a screen and is lower or narrower than `least` pixels, one line each. It measures
 * the area that takes the press, which may be larger than the text. Not measured: links within a sentence, and bars of
 * charts, whose figures stand in a table as well. Where a whole row does the same, the row is the target.
 */
export function smallTargets(page: Page, least: number): Promise<string[]> {
	return page.evaluate((least) => {
		const pressed = "a[href], button, input, select, textarea, summary, [role='button']";
		const inSentence = (one: Element) =>
			one.localName === "a" &&
			getComputedStyle(one).display === "inline" &&
			one.closest("p, li, dd") !== null &&
			(one.closest("p, li, dd")?.textContent ?? "").trim() !== (one.textContent ?? "").trim();
		/** The element whose press does the same. */
		const whole = (one: Element) => {
			const row = one.closest("tr.opens");
			const first = one.closest("td, th")?.matches(":first-child") || one.matches("[aria-expanded]");
			return row && first ? row : (one.closest("label") ?? one);
		};
		/** How far a press at the middle of an element may stray along an axis. */
		const reach = (one: Element, along: "x" | "y") => {
			const { left, top, width, height } = one.getClientRects()[0] ?? new DOMRect();
			const at = { x: left + width / 2, y: top + height / 2 };
			let length = 0;
			for (const step of [1, -1])
				for (let off = step === 1 ? 0 : -1; Math.abs(off) < least; off += step) {
					const hit = document.elementFromPoint(at.x + (along === "x" ? off : 0), at.y + (along === "y" ? off : 0));
					if (!hit || !one.contains(hit)) break;
					length++;
				}
			return length;
		};
		return [...document.querySelectorAll(pressed)]
			.filter(
				(one) =>
					one.checkVisibility({ visibilityProperty: true }) && !one.closest("svg, .drawing, .visually-hidden, .skip"),
			)
			.filter((one) => !inSentence(one))
			.map(whole)
			.filter((one) => {
				const { width, height } = one.getBoundingClientRect();
				if (width >= least - 0.5 && height >= least - 0.5) return false;
				one.scrollIntoView({ block: "center", inline: "nearest" });
				return reach(one, "y") < least - 1 || reach(one, "x") < least - 1;
			})
			.map((one) => {
				const { width, height } = one.getBoundingClientRect();
				return `${Math.round(width)}×${Math.round(height)} ${one.localName}.${one.className} ${(one.textContent || one.getAttribute("aria-label") || "").trim().slice(0, 40)}`;
			});
	}, least);
}

/** The size of the text of a table, and of its heads, in pixels. */
const size = 13;
export const headShare = 12 / 13;

/** The width of each character in the font of the tables, in pixels. */
const advances = new Map<string, number>();

/** Counts the fonts that arrived. What is measured in another font is measured again. */
let arrived = $state(0);

let pen: CanvasRenderingContext2D | null | undefined;

/** Without a document, as on a server, a character has an average width. */
const average = 7;

function take(): CanvasRenderingContext2D | null {
	if (typeof document === "undefined") return null;
	const taken = document.createElement("canvas").getContext("2d");
	const again = () => {
		advances.clear();
		arrived++;
	};
	document.fonts.addEventListener("loadingdone", again);
	// The typeface of the page comes without that event.
	new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-typeface"] });
	return taken;
}

/** tabular returns the width of a digit. Only the layout knows the digits that are all equally wide. */
function tabular(): number {
	const line = document.createElement("span");
	line.style.cssText = `position: absolute; visibility: hidden; font-size: ${size}px; font-variant-numeric: tabular-nums`;
	line.textContent = "0".repeat(20);
	document.body.append(line);
	const { width } = line.getBoundingClientRect();
	line.remove();
	return width / 20;
}

function advance(character: string): number {
	pen ??= take();
	if (!pen) return average;
	if (advances.size === 0) {
		pen.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
		const digit = tabular();
		for (const each of "0123456789") advances.set(each, digit);
	}
	let width = advances.get(character);
	if (width === undefined) {
		width = pen.measureText(character).width;
		advances.set(character, width);
	}
	return width;
}

/** face names the font of the measures. A component that reads it is updated when another font arrives. */
export function face(): number {
	return arrived;
}

/** room returns the width of a text in a table, in pixels. */
export function room(text: string): number {
	let width = 0;
	for (const character of text) width += advance(character);
	return width;
}

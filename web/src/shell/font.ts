import inter from "./Inter.woff2?url";

/** How long the typeface waits for a figure, in milliseconds. Some screens have none. */
const longest = 1000;

/** loadFont brings the typeface of the page after the first figure, so that it delays none. */
export function loadFont(main: HTMLElement): void {
	const started = performance.now();
	const look = () => {
		if (main.querySelector(".figure") || performance.now() - started > longest) void load();
		else setTimeout(look, 50);
	};
	look();
}

async function load(): Promise<void> {
	try {
		const face = new FontFace("Inter", `url(${inter})`, { weight: "400 700" });
		document.fonts.add(await face.load());
		document.documentElement.dataset.typeface = face.family; // charts measure their labels again
	} catch {
		// The text keeps the font of the system.
	}
}

/** The colours and the font of the page, for charts. */
export interface Ink {
	paper: string;
	ink: string;
	quiet: string;
	rule: string;
	accent: string;
	good: string;
	bad: string;
	surface: string;
	font: string;
}

const names = ["paper", "ink", "quiet", "rule", "accent", "good", "bad", "surface"] as const;

/** inkOf reads the current colours of an element. */
export function inkOf(element: HTMLElement): Ink {
	const probe = document.createElement("span");
	element.append(probe);
	const ink: Partial<Ink> = { font: getComputedStyle(element).fontFamily };
	for (const name of names) {
		probe.style.color = `var(--${name})`;
		ink[name] = getComputedStyle(probe).color;
	}
	probe.remove();
	return ink as Ink;
}

/** follow calls `change` when the theme changes: by choice, by the system, or for print. */
export function follow(change: () => void): () => void {
	const choice = new MutationObserver(change);
	choice.observe(document.documentElement, { attributes: true });
	const media = [matchMedia("(prefers-color-scheme: dark)"), matchMedia("print")];
	for (const each of media) each.addEventListener("change", change);
	return () => {
		choice.disconnect();
		for (const each of media) each.removeEventListener("change", change);
	};
}

const plain = () => ({ symbol: "none" });

const stripes = (color: string, rotation: number) => ({
	symbol: "rect",
	symbolSize: 1,
	color,
	dashArrayX: [1, 0],
	dashArrayY: [2, 4],
	rotation,
});

/** actual is a solid bar. */
export function actual(ink: Ink) {
	return { color: ink.ink, decal: plain() };
}

/** plan is an outlined bar. */
export function plan(ink: Ink) {
	return { color: ink.paper, borderColor: ink.ink, borderWidth: 1.5, decal: plain() };
}

/** forecast is a hatched bar. */
export function forecast(ink: Ink) {
	return { color: ink.paper, borderColor: ink.ink, borderWidth: 1, decal: stripes(ink.ink, Math.PI / 4) };
}

/** variance is a good bar, or a bad and striped one. */
export function variance(ink: Ink, good: boolean) {
	return good ? { color: ink.good, decal: plain() } : { color: ink.bad, decal: stripes(ink.paper, -Math.PI / 4) };
}

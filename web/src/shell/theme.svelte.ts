export const modes = ["system", "light", "dark"] as const;
export const palettes = ["blue-orange", "green-red"] as const;
/** The rail has names beside its icons where there is room, until the reader decides. */
export const rails = ["auto", "open", "folded"] as const;
export type Mode = (typeof modes)[number];
export type Palette = (typeof palettes)[number];
export type RailChoice = (typeof rails)[number];

/** kept reads a choice of an earlier visit. A browser may refuse to store any. */
function kept<T extends string>(name: string, choices: readonly T[], otherwise: T): T {
	try {
		const choice = localStorage.getItem(name);
		return choices.find((c) => c === choice) ?? otherwise;
	} catch {
		return otherwise;
	}
}

function keep(name: string, choice: string): void {
	try {
		localStorage.setItem(name, choice);
	} catch {
		// The choice holds for this visit.
	}
}

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Theme is how the page looks to this reader. It is the only state outside of the address. */
class Theme {
	#mode = $state<Mode>(kept("mode", modes, "system"));
	#palette = $state<Palette>(kept("palette", palettes, "blue-orange"));
	#rail = $state<RailChoice>(kept("rail", rails, "auto"));
	#systemDark = $state(dark.matches);
	#letters = $state(kept("letters", ["on", "off"], "on") === "on");

	constructor() {
		dark.addEventListener("change", () => {
			this.#systemDark = dark.matches;
			this.#show();
		});
		this.#show();
	}

	get mode(): Mode {
		return this.#mode;
	}

	set mode(mode: Mode) {
		this.#mode = mode;
		keep("mode", mode);
		this.#show();
	}

	/** palette is the pair of colours for favourable and unfavourable. */
	get palette(): Palette {
		return this.#palette;
	}

	set palette(palette: Palette) {
		this.#palette = palette;
		keep("palette", palette);
		this.#show();
	}

	get rail(): RailChoice {
		return this.#rail;
	}

	set rail(rail: RailChoice) {
		this.#rail = rail;
		keep("rail", rail);
	}

	/** letters reports whether single keys are shortcuts (WCAG 2.1.4). */
	get letters(): boolean {
		return this.#letters;
	}

	set letters(on: boolean) {
		this.#letters = on;
		keep("letters", on ? "on" : "off");
	}

	get dark(): boolean {
		return this.#mode === "dark" || (this.#mode === "system" && this.#systemDark);
	}

	#show(): void {
		document.documentElement.dataset.theme = this.dark ? "dark" : "light";
		document.documentElement.dataset.palette = this.#palette;
	}
}

export const theme = new Theme();

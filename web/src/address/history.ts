/** How long a page that is as high as it was must stay so, in milliseconds. */
const rest = 500;
/** How long it is waited for until it is: later, a page that moved by itself would take the reader by surprise. */
const patience = 5_000;

/** What the reader does instead of waiting. */
const moves = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** The name that heights are kept under from one load of the page to the next. */
const name = "daybook.steps";

/**
 * Steps is the browser's history, with how far the reader had scrolled at each. What a screen shows
 * comes after its step, which is why the browser alone comes back to the top of most: here the page
 * is scrolled as it grows, until it rests where it was or the reader moves.
 */
class Steps {
	readonly #heights = new Map<number, number>(stored());
	/** The step that the page is at. */
	#here = 0;
	/** Ends the way back to a height; undefined where there is none. */
	#end: (() => void) | undefined;
	/** Where the page is to be, until the reader has scrolled it elsewhere. */
	#wanted: number | undefined;

	constructor() {
		history.scrollRestoration = "manual";
		addEventListener("popstate", () => {
			this.#leave();
			this.#arrive();
		});
		addEventListener("pagehide", () => {
			this.#note();
			store([...this.#heights]);
		});
		// The page may have been emptied while the browser kept it.
		addEventListener("pageshow", ({ persisted }) => {
			if (persisted) this.#arrive();
		});
		this.#arrive();
	}

	/** push goes one step on. */
	push(href: string): void {
		this.#leave();
		history.pushState(null, "", href);
		this.#arrive();
	}

	/** replace changes the address of the step. */
	replace(href: string): void {
		history.replaceState(this.#here, "", href);
	}

	#note(): void {
		this.#heights.set(this.#here, this.#wanted ?? scrollY);
	}

	#leave(): void {
		this.#note();
		this.#end?.();
		this.#wanted = undefined;
	}

	#arrive(): void {
		const known: unknown = history.state;
		const height = typeof known === "number" ? this.#heights.get(known) : undefined;
		this.#here = typeof known === "number" ? known : Date.now() + Math.random();
		if (known !== this.#here) this.replace(location.hash);
		if (height !== undefined) this.#climb(height);
	}

	#climb(height: number): void {
		this.#wanted = height;
		const late = setTimeout(() => this.#end?.(), patience);
		let rested: ReturnType<typeof setTimeout> | undefined;
		const grown = new ResizeObserver(() => {
			scrollTo(0, height);
			clearTimeout(rested);
			if (Math.abs(scrollY - height) < 1) rested = setTimeout(() => this.#end?.(), rest);
		});
		// What the reader does ends the way back; where they were stays known until it moves the page.
		const moved = (event: Event) => {
			// A key of the browser's, such as the one that led here, moves nothing.
			if (event instanceof KeyboardEvent && (event.altKey || event.metaKey)) return;
			this.#end?.();
		};
		this.#end = () => {
			this.#end = undefined;
			clearTimeout(late);
			clearTimeout(rested);
			grown.disconnect();
			for (const move of moves) removeEventListener(move, moved);
			addEventListener("scroll", () => this.#scrolled(), { once: true });
		};
		for (const move of moves) addEventListener(move, moved, { passive: true });
		grown.observe(document.body);
	}

	#scrolled(): void {
		if (!this.#end) this.#wanted = undefined;
	}
}

function stored(): [number, number][] {
	try {
		const kept: unknown = JSON.parse(sessionStorage.getItem(name) ?? "[]");
		return Array.isArray(kept) ? kept.filter(isHeight) : [];
	} catch {
		return [];
	}
}

/** Whether what was kept is a step and its height: another page of this origin may keep under the same name. */
function isHeight(kept: unknown): kept is [number, number] {
	return Array.isArray(kept) && kept.length === 2 && kept.every((n) => typeof n === "number");
}

function store(heights: [number, number][]): void {
	try {
		sessionStorage.setItem(name, JSON.stringify(heights));
	} catch {
		// A browser may refuse to keep any.
	}
}

export const steps = new Steps();

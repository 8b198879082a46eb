/** A page keeps its height this long, in milliseconds, before its scroll position counts as restored. */
const rest = 500;
/** Give up restoring after this long, in milliseconds: a page that moves later would surprise the reader. */
const patience = 5_000;

/** Input with which the reader takes over. */
const moves = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** The key in session storage for scroll positions, which survive a reload. */
const name = "daybook.scroll";

/**
 * ScrollHistory is the browser's history with a scroll position for each step. The content of a screen arrives after its
 * step, so the browser alone would stop at the top. This class scrolls the page as it grows, until it reaches its old
 * position or the reader moves it.
 */
class ScrollHistory {
	readonly #heights = new Map<number, number>(stored());
	/** The current step. */
	#here = 0;
	/** Ends restoring; undefined while nothing is restored. */
	#end: (() => void) | undefined;
	/** The position to restore, until the reader scrolls elsewhere. */
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
		// The browser may have emptied the page that it kept.
		addEventListener("pageshow", ({ persisted }) => {
			if (persisted) this.#arrive();
		});
		this.#arrive();
	}

	/** push adds a step to the history. */
	push(href: string): void {
		this.#leave();
		history.pushState(null, "", href);
		this.#arrive();
	}

	/** replace changes the address of the current step. */
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
		// Input of the reader ends restoring. The position stays known until the input scrolls the page.
		const moved = (event: Event) => {
			// A browser shortcut, such as the one that led here, does not scroll.
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

/** Another page of the same origin may store something else under the same key. */
function isHeight(kept: unknown): kept is [number, number] {
	return Array.isArray(kept) && kept.length === 2 && kept.every((n) => typeof n === "number");
}

function store(heights: [number, number][]): void {
	try {
		sessionStorage.setItem(name, JSON.stringify(heights));
	} catch {
		// The browser may refuse to store anything.
	}
}

export const scrollHistory = new ScrollHistory();

import { paired } from "../format/bidi";
import { scrollHistory } from "./history";

/**
 * The address holds the whole state of a screen: `#/variance?year=2026&period=6`. State outside of it is lost on a
 * reload, in a bookmark and in a link sent to a colleague.
 */
export type Parameters = Record<string, string>;

interface Place {
	screen: string;
	parameters: Parameters;
}

function read(hash: string): Place {
	const [, path = "", query = ""] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
	const parameters: Parameters = {};
	for (const [name, value] of new URLSearchParams(query)) parameters[name] = paired(value);
	return { screen: path || "overview", parameters };
}

/** The parameters that a reader keeps when another screen opens. */
export const sharedParameters = ["year", "period", "version", "dept", "currency", "unit"] as const;

/**
 * How long a changing address waits before it is written, in milliseconds. Browsers limit how often a page may write
 * it.
 */
export const rest = 300;

/** How a change enters the browser's history. */
export interface Step {
	/** Replaces the current step. */
	replace?: boolean;
	/** Applies at once, and replaces the current step when no other change follows, as while a slider moves. */
	rests?: boolean;
}

class Address {
	#place = $state.raw<Place>(read(location.hash));
	#screen = $derived(this.#place.screen);
	#resting: ReturnType<typeof setTimeout> | undefined;
	readonly #said = new Map<string, () => string>();

	constructor() {
		addEventListener("hashchange", () => {
			clearTimeout(this.#resting);
			this.#resting = undefined;
			this.#place = read(location.hash);
		});
		addEventListener("pagehide", () => this.#write());
	}

	get screen(): string {
		return this.#screen;
	}

	/** get returns a parameter, or "". A reader of one parameter is not updated when another one changes. */
	get(name: string): string {
		let said = this.#said.get(name);
		if (!said) {
			said = this.#parameter(name);
			this.#said.set(name, said);
		}
		return said();
	}

	/** href returns a link to a screen with the shared parameters and these changes. "" removes a parameter. */
	href(screen: string, changes: Parameters = {}): string {
		const kept: Parameters = {};
		for (const name of sharedParameters) kept[name] = this.get(name);
		return write(screen, { ...kept, ...changes });
	}

	/** here returns a link to the current screen with all of its parameters and these changes. */
	here(changes: Parameters): string {
		return write(this.screen, { ...this.#place.parameters, ...changes });
	}

	/** change goes to the link that `here` returns. */
	change(changes: Parameters, how: Step = {}): void {
		this.#go(this.here(changes), how);
	}

	go(screen: string, changes: Parameters = {}): void {
		this.#go(this.href(screen, changes), {});
	}

	#go(href: string, { replace = false, rests = false }: Step): void {
		// The step that is left must be written, so that the reader can come back to it.
		if (!replace && !rests) this.#write();
		if (href !== this.here({})) this.#place = read(href);
		clearTimeout(this.#resting);
		this.#resting = undefined;
		if (rests) this.#resting = setTimeout(() => this.#write(), rest);
		else if (href === location.hash) return;
		else if (replace) scrollHistory.replace(href);
		else scrollHistory.push(href);
	}

	/** Writes an address that still waits. */
	#write(): void {
		if (this.#resting === undefined) return;
		clearTimeout(this.#resting);
		this.#resting = undefined;
		scrollHistory.replace(this.here({}));
	}

	/** The parameter is made in a root of its own, because it outlives the component that reads it first. */
	#parameter(name: string): () => string {
		let said = () => "";
		$effect.root(() => {
			const text = $derived(this.#place.parameters[name] ?? "");
			said = () => text;
		});
		return said;
	}
}

function write(screen: string, parameters: Parameters): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) if (value !== "") query.set(name, value);
	const text = query.toString().replaceAll("%2C", ",");
	return `#/${screen}${text && `?${text}`}`;
}

export const address = new Address();

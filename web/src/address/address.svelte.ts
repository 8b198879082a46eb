import { paired } from "../format/bidi";
import { steps } from "./history";

/**
 * The one state of every screen is its address: `#/variance?year=2026&period=6`. What is
 * not in it does not survive a reload, a bookmark or a mail to a colleague.
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

/** What every screen keeps when another is opened. */
export const shared = ["year", "period", "version", "dept", "currency"] as const;

/** How long an address rests before it is written, in milliseconds: browsers count what a page writes there. */
export const rest = 300;

/** How a change goes into the browser's history. */
export interface Step {
	/** Without a step to come back to. */
	replace?: boolean;
	/** Held at once, and written without a step to come back to when no other change follows, as while a slider moves. */
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

	/** get is a parameter, "" where there is none. Whoever reads one is not told when another changes. */
	get(name: string): string {
		let said = this.#said.get(name);
		if (!said) {
			said = this.#parameter(name);
			this.#said.set(name, said);
		}
		return said();
	}

	/** href leads to a screen with what all screens share, changed; "" takes a parameter away. */
	href(screen: string, changes: Parameters = {}): string {
		const kept: Parameters = {};
		for (const name of shared) kept[name] = this.get(name);
		return write(screen, { ...kept, ...changes });
	}

	/** here leads to this screen with its own parameters changed too. */
	here(changes: Parameters): string {
		return write(this.screen, { ...this.#place.parameters, ...changes });
	}

	/** change goes to `here`. */
	change(changes: Parameters, how: Step = {}): void {
		this.#go(this.here(changes), how);
	}

	go(screen: string, changes: Parameters = {}): void {
		this.#go(this.href(screen, changes), {});
	}

	#go(href: string, { replace = false, rests = false }: Step): void {
		// What a step leads away from is what is come back to.
		if (!replace && !rests) this.#write();
		if (href !== this.here({})) this.#place = read(href);
		clearTimeout(this.#resting);
		this.#resting = undefined;
		if (rests) this.#resting = setTimeout(() => this.#write(), rest);
		else if (href === location.hash) return;
		else if (replace) steps.replace(href);
		else steps.push(href);
	}

	/** Writes an address that still rests. */
	#write(): void {
		if (this.#resting === undefined) return;
		clearTimeout(this.#resting);
		this.#resting = undefined;
		steps.replace(this.here({}));
	}

	/** Made outside of whoever asks for it first, whose end it outlives. */
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

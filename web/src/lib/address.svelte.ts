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
	return { screen: path || "overview", parameters: Object.fromEntries(new URLSearchParams(query)) };
}

/** What every screen keeps when another is opened. */
export const shared = ["year", "period", "version", "dept", "currency"] as const;

class Address {
	#place = $state.raw<Place>(read(location.hash));

	constructor() {
		addEventListener("hashchange", () => {
			this.#place = read(location.hash);
		});
	}

	get screen(): string {
		return this.#place.screen;
	}

	/** get is a parameter, "" where there is none. */
	get(name: string): string {
		return this.#place.parameters[name] ?? "";
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

	/** change goes to `here`; with `replace`, without a step to come back to, as while typing. */
	change(changes: Parameters, how: { replace?: boolean } = {}): void {
		this.#go(this.here(changes), how.replace ?? false);
	}

	go(screen: string, changes: Parameters = {}): void {
		this.#go(this.href(screen, changes), false);
	}

	#go(href: string, replace: boolean): void {
		if (href === location.hash) return;
		if (replace) history.replaceState(null, "", href);
		else history.pushState(null, "", href);
		this.#place = read(href);
	}
}

function write(screen: string, parameters: Parameters): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) if (value !== "") query.set(name, value);
	const text = query.toString();
	return `#/${screen}${text && `?${text}`}`;
}

export const address = new Address();

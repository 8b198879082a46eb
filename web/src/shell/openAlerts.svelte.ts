import { api } from "../api/client";
import type { paths } from "../api/schema";

type Query = paths["/api/v1/variance/alerts"]["get"]["parameters"]["query"];

/** The number is asked for when the reader rests: not for each month that is stepped over, nor for each change of many. */
const rest = 400;

/** OpenAlerts counts the alerts of the screen's scope, for the navigation. */
export class OpenAlerts {
	/** Undefined until the answer, and where the server refuses it. */
	count = $state<number>();
	#asked = "";
	#timer: ReturnType<typeof setTimeout> | undefined;
	#request = new AbortController();

	/** ask counts for a scope, unless it is counted already. */
	ask(scope: Record<string, string | number>): void {
		const query = scope as unknown as Query; // the server reports what is none
		const key = JSON.stringify(query);
		if (key === this.#asked) return;
		this.#asked = key;
		this.#later(query);
	}

	/** again counts anew after a change. */
	again(): void {
		if (this.#asked) this.#later(JSON.parse(this.#asked) as Query);
	}

	end(): void {
		clearTimeout(this.#timer);
		this.#request.abort();
	}

	#later(query: Query): void {
		this.end();
		this.#timer = setTimeout(() => void this.#count(query), rest);
	}

	async #count(query: Query): Promise<void> {
		this.#request = new AbortController();
		const { signal } = this.#request;
		try {
			const report = (await api.GET("/api/v1/variance/alerts", { params: { query }, signal })).data;
			if (!signal.aborted) this.count = report.lines.length;
		} catch {
			// The navigation is complete without it.
			if (!signal.aborted) this.count = undefined;
		}
	}
}

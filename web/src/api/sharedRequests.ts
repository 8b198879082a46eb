/**
 * Joined sends one request for all callers that ask for the same at the same time. The parts of a page start together
 * and share their data.
 */
export class Joined {
	#awaited = new Map<string, Promise<unknown>>();

	/** ask returns the answer to a request that is under way, or sends one. */
	async ask<T>(question: string, send: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
		for (;;) {
			const awaited = this.#awaited.get(question) as Promise<T> | undefined;
			if (!awaited) break;
			try {
				return await awaited;
			} catch (reason) {
				if (!ended(reason) || signal?.aborted) throw reason;
				// The caller that sent the request aborted it. The first of the others sends it again.
				if (this.#awaited.get(question) === awaited) this.#awaited.delete(question);
			}
		}
		const asked = send();
		this.#awaited.set(question, asked);
		try {
			return await asked;
		} finally {
			if (this.#awaited.get(question) === asked) this.#awaited.delete(question);
		}
	}

	/** leave keeps new callers from sharing the requests under way: those may be older than a change. */
	leave(): void {
		this.#awaited.clear();
	}
}

/** ended reports whether the caller aborted the request. */
function ended(reason: unknown): boolean {
	return reason instanceof DOMException && reason.name === "AbortError";
}

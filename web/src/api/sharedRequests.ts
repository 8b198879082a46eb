/**
 * Joined asks a question once for all who ask the same while its answer is awaited: the parts of
 * a page come up together, and share what they show.
 */
export class Joined {
	#awaited = new Map<string, Promise<unknown>>();

	/** ask gives what `send` gives, or gave whoever asked before and still waits. */
	async ask<T>(question: string, send: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
		for (;;) {
			const awaited = this.#awaited.get(question) as Promise<T> | undefined;
			if (!awaited) break;
			try {
				return await awaited;
			} catch (reason) {
				if (!ended(reason) || signal?.aborted) throw reason;
				// Who asked before went away, and the request with it: the first to notice asks for all who wait.
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

	/** leave lets nobody join what was asked until now: its answer may be older than a change that was told of. */
	leave(): void {
		this.#awaited.clear();
	}
}

/** ended is whether a request was ended by the signal of who sent it. */
function ended(reason: unknown): boolean {
	return reason instanceof DOMException && reason.name === "AbortError";
}

/**
 * SharedRequests sends one request for all callers that ask for the same at the same time. The parts of a page start together
 * and share their data.
 */
export class SharedRequests {
	#awaited = new Map<string, Promise<unknown>>();

	/** send returns the answer to a request that is under way, or sends one. */
	async send<T>(key: string, request: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
		for (;;) {
			const awaited = this.#awaited.get(key) as Promise<T> | undefined;
			if (!awaited) break;
			try {
				return await awaited;
			} catch (reason) {
				if (!ended(reason) || signal?.aborted) throw reason;
				// The caller that sent the request aborted it. The first of the others sends it again.
				if (this.#awaited.get(key) === awaited) this.#awaited.delete(key);
			}
		}
		const sent = request();
		this.#awaited.set(key, sent);
		try {
			return await sent;
		} finally {
			if (this.#awaited.get(key) === sent) this.#awaited.delete(key);
		}
	}

	/** forget keeps new callers from sharing the requests under way: those may be older than a change. */
	forget(): void {
		this.#awaited.clear();
	}
}

/** ended reports whether the caller aborted the request. */
function ended(reason: unknown): boolean {
	return reason instanceof DOMException && reason.name === "AbortError";
}

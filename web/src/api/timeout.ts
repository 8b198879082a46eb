/** How long to wait for an answer, in milliseconds. A busy server answers with an error before that. */
const patience = 60_000;

/**
 * withTimeout runs a request with a signal. The signal aborts the request when the given signal does, or with a
 * TimeoutError after the timeout; then it calls `late`.
 */
export async function withTimeout<T>(
	ask: (signal: AbortSignal) => Promise<T>,
	given: AbortSignal | undefined,
	late = () => {},
): Promise<T> {
	const request = new AbortController();
	const end = () => request.abort(given?.reason);
	if (given?.aborted) end();
	given?.addEventListener("abort", end);
	const timer = setTimeout(() => {
		request.abort(new DOMException("The answer did not come in time.", "TimeoutError"));
		late();
	}, patience);
	try {
		return await ask(request.signal);
	} finally {
		clearTimeout(timer);
		given?.removeEventListener("abort", end);
	}
}

/** How long an answer is waited for, in milliseconds: longer than a busy server lets a request wait before it says so. */
const patience = 60_000;

/**
 * patiently gives what is asked with its signal, which ends the request with the given signal, or with a TimeoutError
 * where it takes too long, which `late` is told of.
 */
export async function patiently<T>(
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

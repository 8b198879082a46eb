/** How long to wait for an answer, in milliseconds. A busy server answers with an error before that. */
const patience = 60_000;

/** The slowest that a body arrives, in bytes a millisecond: the server ends slower ones. */
const slowest = 16;

/**
 * withTimeout runs a request with a signal. The signal aborts the request when the given signal does, or with a
 * TimeoutError after the timeout; then it calls `late`. A body of many bytes has time to arrive, and each call of
 * `heard`, for a piece of the answer, starts the wait again.
 */
export async function withTimeout<T>(
	ask: (signal: AbortSignal, heard: () => void) => Promise<T>,
	given: AbortSignal | undefined,
	late = () => {},
	bytes = 0,
): Promise<T> {
	const request = new AbortController();
	const end = () => request.abort(given?.reason);
	if (given?.aborted) end();
	given?.addEventListener("abort", end);
	let timer: ReturnType<typeof setTimeout> | undefined;
	const wait = (time: number) => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			request.abort(new DOMException("The answer did not come in time.", "TimeoutError"));
			late();
		}, time);
	};
	wait(patience + bytes / slowest);
	try {
		return await ask(request.signal, () => wait(patience));
	} finally {
		clearTimeout(timer);
		given?.removeEventListener("abort", end);
	}
}

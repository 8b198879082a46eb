/** The longest wait in milliseconds, and the wait in a browser without idle callbacks. */
const longest = 1000;

/** whenIdle runs work when the browser is idle. The returned function cancels it. */
export function whenIdle(work: () => void): () => void {
	if (typeof requestIdleCallback === "undefined") {
		const timer = setTimeout(work, longest);
		return () => clearTimeout(timer);
	}
	const asked = requestIdleCallback(work, { timeout: longest });
	return () => cancelIdleCallback(asked);
}

/** So long is waited at most, in milliseconds; as long where a browser does not tell that it is idle. */
const longest = 1000;

/** whenIdle does what can wait when nothing else is to be done. The function that it returns takes that back. */
export function whenIdle(work: () => void): () => void {
	if (typeof requestIdleCallback === "undefined") {
		const timer = setTimeout(work, longest);
		return () => clearTimeout(timer);
	}
	const asked = requestIdleCallback(work, { timeout: longest });
	return () => cancelIdleCallback(asked);
}

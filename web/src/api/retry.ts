import { ApiError } from "./error";

/** The pauses before a failed request is sent again, in milliseconds. Each is twice the one before. */
const firstPause = 1000;
const longestPause = 30_000;

/** passes reports whether a request may succeed later: the server did not answer, or is busy. */
function passes(reason: unknown): boolean {
	return !(reason instanceof ApiError) || reason.status === 503;
}

/** Retry sends a failed request again, after pauses that grow until it succeeds. */
export class Retry {
	readonly #again: () => void;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#pause = firstPause;

	constructor(again: () => void) {
		this.#again = again;
	}

	/** failed plans the next attempt and returns true, or returns false if the server would refuse that too. */
	failed(reason: unknown): boolean {
		this.stop();
		if (!passes(reason)) return false;
		this.#timer = setTimeout(this.#again, this.#pause);
		this.#pause = Math.min(2 * this.#pause, longestPause);
		return true;
	}

	/** succeeded starts the pauses over. */
	succeeded(): void {
		this.stop();
		this.#pause = firstPause;
	}

	/** stop cancels the next attempt: another request takes its place, or nobody needs it any more. */
	stop(): void {
		clearTimeout(this.#timer);
	}
}

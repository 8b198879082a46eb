/** Pending counts the parts of the page that still show the answer to an earlier request. */
class Pending {
	#count = $state(0);

	/** stale reports whether the page shows figures that do not match the address yet. */
	get stale(): boolean {
		return this.#count > 0;
	}

	/** begin adds one to the count until the returned function is called. */
	begin(): () => void {
		this.#count++;
		let ended = false;
		return () => {
			if (!ended) this.#count--;
			ended = true;
		};
	}
}

export const pending = new Pending();

/** Awaited counts what of the page shows the answer to another question than the address asks now. */
class Awaited {
	#count = $state(0);

	/** late is whether figures stand on the page under a name that is not theirs, until the answer comes. */
	get late(): boolean {
		return this.#count > 0;
	}

	/** begin counts one more, until the function that it returns is called. */
	begin(): () => void {
		this.#count++;
		let ended = false;
		return () => {
			if (!ended) this.#count--;
			ended = true;
		};
	}
}

export const awaited = new Awaited();

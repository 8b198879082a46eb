/** What the stream of events says: the data of an event of the server's, or undefined where the stream was lost. */
export type Word = string | undefined;

/** Tells one of those who share a wire. */
export type Tell = (word: Word) => void;

/** What is asked of a wire. */
export type Asked = "join" | "leave" | "renew";

/** How long the first word after connecting is waited for, in milliseconds. */
export const patience = 15_000;

/** Wire is one stream of events for all who join it. It is open while anybody has joined. */
export class Wire {
	#source: EventSource | undefined;
	#silence: ReturnType<typeof setTimeout> | undefined;
	#newest: Word;
	#joined = new Set<Tell>();

	/** join tells what the stream says, from its newest word on, until it was lost or the caller leaves. */
	join(tell: Tell): void {
		this.#joined.add(tell);
		if (!this.#source) this.#open();
		else if (this.#newest !== undefined) tell(this.#newest);
	}

	leave(tell: Tell): void {
		this.#joined.delete(tell);
		if (this.#joined.size === 0) this.#close();
	}

	/** renew opens the stream anew where there is one, which may be dead. Its first word names no entities. */
	renew(): void {
		if (!this.#source) return;
		this.#close();
		this.#open();
	}

	#open(): void {
		const source = new EventSource("/api/v1/events");
		this.#source = source;
		this.#silence = setTimeout(() => this.#lost(), patience);
		source.addEventListener("changed", (event) => {
			clearTimeout(this.#silence);
			this.#newest = event.data;
			for (const tell of [...this.#joined]) tell(event.data);
		});
		source.addEventListener("error", () => this.#lost());
	}

	#close(): void {
		clearTimeout(this.#silence);
		this.#source?.close();
		this.#source = undefined;
		this.#newest = undefined;
	}

	// Each joins again when it will, and the first to do so opens the stream again.
	#lost(): void {
		const joined = [...this.#joined];
		this.#joined.clear();
		this.#close();
		for (const tell of joined) tell(undefined);
	}
}

/** The data of an event; undefined if the connection was lost. */
export type EventData = string | undefined;

/** Receives the events of a stream. */
export type StreamListener = (word: EventData) => void;

/** What a window can do with the shared stream. */
export type StreamCommand = "join" | "leave" | "renew";

/** How long to wait for the first event after connecting, in milliseconds. */
export const patience = 15_000;

/** EventStream is one event stream for several listeners. It is open while it has any. */
export class EventStream {
	#source: EventSource | undefined;
	#silence: ReturnType<typeof setTimeout> | undefined;
	#newest: EventData;
	#joined = new Set<StreamListener>();

	/**
	 * join adds a listener. It receives the newest event at once, and every later one until it leaves or the
	 * connection is lost.
	 */
	join(tell: StreamListener): void {
		this.#joined.add(tell);
		if (!this.#source) this.#open();
		else if (this.#newest !== undefined) tell(this.#newest);
	}

	leave(tell: StreamListener): void {
		this.#joined.delete(tell);
		if (this.#joined.size === 0) this.#close();
	}

	/** renew reconnects an open stream, whose connection may be dead. The first event then names no entities. */
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

	// Listeners join again when they are ready. The first of them opens the stream.
	#lost(): void {
		const joined = [...this.#joined];
		this.#joined.clear();
		this.#close();
		for (const tell of joined) tell(undefined);
	}
}

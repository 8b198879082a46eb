import { sharedReads, whenTimedOut } from "./client";
import { session } from "./session.svelte";
import { sharedStream } from "./sharedStream";
import type { StreamCommand } from "./stream";

type Listener = (entities: ReadonlySet<string> | "all") => void;

/**
 * The pause before connecting again, in milliseconds. It doubles each time, up to a limit, which is lower while the
 * server is away.
 */
const firstWait = 500;
const longestAway = 5_000;
const longestWait = 30_000;

/** After this many failed attempts the page tells the reader. */
const patience = 3;

/**
 * Events receives the changes of the journal while the page is visible. All visible windows of a browser share one
 * stream. A hidden page receives nothing; when it becomes visible, it learns whether it missed a change.
 */
class Events {
	/** away reports whether the server cannot be reached. */
	away = $state(false);
	/** silent reports whether the server answers requests but sends no events. */
	silent = $state(false);

	#listeners = new Set<Listener>();
	#stream: ((command: StreamCommand) => void) | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#wait = firstWait;
	#tries = 0;
	/** The hash of the newest known journal entry. After a restore another entry may have the same number. */
	#head: string | null = null;
	#missed = true;

	/**
	 * start listens until the returned function is called. `head` is the journal entry before the page read anything:
	 * listeners learn of every change since.
	 */
	start(head: string | null): () => void {
		this.#head = head;
		this.#missed = true;
		this.#stream ??= sharedStream((data) => (data === undefined ? this.#lost() : this.#changed(data)));
		const seen = () => (document.hidden ? this.#sleep() : this.#open());
		// A stream over a network that was gone may stay silent for ever.
		const online = () => {
			if (document.hidden) return;
			this.#stream?.("renew");
			this.#open();
		};
		document.addEventListener("visibilitychange", seen);
		addEventListener("online", online);
		whenTimedOut(() => {
			if (!document.hidden && !this.away) this.#lost();
		});
		seen();
		return () => {
			whenTimedOut(() => {});
			document.removeEventListener("visibilitychange", seen);
			removeEventListener("online", online);
			this.#close();
		};
	}

	/**
	 * listen calls `changed` when one of the entities changed, or may have changed while the connection was lost,
	 * until the returned function is called.
	 */
	listen(entities: readonly string[], changed: () => void): () => void {
		const listener: Listener = (which) => {
			if (which === "all" || entities.some((e) => which.has(e))) changed();
		};
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	#open(): void {
		clearTimeout(this.#timer);
		this.#stream?.("join");
	}

	#sleep(): void {
		this.#close();
		this.#missed = true;
	}

	#close(): void {
		clearTimeout(this.#timer);
		this.#stream?.("leave");
	}

	/** A browser does not reconnect after an error response. This does, for as long as the page is visible. */
	#lost(): void {
		this.#sleep();
		this.#timer = setTimeout(() => this.#open(), this.#wait);
		this.#wait = Math.min(2 * this.#wait, this.away ? longestAway : longestWait);
		this.#tries++;
		session.load().then(
			() => {
				this.#back();
				this.silent = this.#tries >= patience;
			},
			() => {
				this.away = true;
				this.silent = false;
			},
		);
	}

	#back(): void {
		if (!this.away) return;
		this.away = false;
		this.#tell("all");
	}

	// The first event after connecting has the newest journal entry and no entities.
	#changed(data: string): void {
		const { hash, entities } = JSON.parse(data) as { hash: string; entities: string[] };
		const news = hash !== this.#head;
		const which = this.#missed || entities.length === 0 ? "all" : new Set(entities);
		this.#head = hash;
		this.#missed = false;
		this.#wait = firstWait;
		this.#tries = 0;
		this.silent = false;
		this.#back();
		if (news) this.#tell(which);
	}

	#tell(entities: ReadonlySet<string> | "all"): void {
		sharedReads.forget();
		for (const listener of [...this.#listeners]) listener(entities);
	}
}

export const events = new Events();

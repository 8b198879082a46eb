import { asking, whenUnanswered } from "./client";
import { session } from "./session.svelte";
import { shared } from "./sharedStream";
import type { Asked } from "./stream";

type Listener = (entities: ReadonlySet<string> | "all") => void;

/** How long is waited before trying again, in milliseconds: twice as long each time, of a server that is away not so long. */
const firstWait = 500;
const longestAway = 5_000;
const longestWait = 30_000;

/** So many tries without a stream are no hiccup. */
const patience = 3;

/**
 * What the server tells of changes while the page is seen. All pages of a browser that are seen share
 * one stream, and a hidden page listens to nothing; when it is seen again, it hears whether it missed anything.
 */
class Events {
	/** away is whether the server was lost and is not back yet. */
	away = $state(false);
	/** deaf is whether the server answers, but does not tell of changes. */
	deaf = $state(false);

	#listeners = new Set<Listener>();
	#wire: ((asked: Asked) => void) | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#wait = firstWait;
	#tries = 0;
	/** The hash of the newest entry of the journal: after a restore, another entry may have its number. */
	#head: string | null = null;
	#missed = true;

	/**
	 * start listens until the function that it returns is called. The page has asked for
	 * everything since the journal had come to an entry: what changed from there to the first word is told.
	 */
	start(head: string | null): () => void {
		this.#head = head;
		this.#missed = true;
		this.#wire ??= shared((word) => (word === undefined ? this.#lost() : this.#changed(word)));
		const seen = () => (document.hidden ? this.#sleep() : this.#open());
		// Of a stream over a network that was gone nothing may ever come.
		const online = () => {
			if (document.hidden) return;
			this.#wire?.("renew");
			this.#open();
		};
		document.addEventListener("visibilitychange", seen);
		addEventListener("online", online);
		whenUnanswered(() => {
			if (!document.hidden && !this.away) this.#lost();
		});
		seen();
		return () => {
			whenUnanswered(() => {});
			document.removeEventListener("visibilitychange", seen);
			removeEventListener("online", online);
			this.#close();
		};
	}

	/**
	 * listen calls back when one of the entities changed, or any may have: after the
	 * connection was lost. The function that it returns ends that.
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
		this.#wire?.("join");
	}

	#sleep(): void {
		this.#close();
		this.#missed = true;
	}

	#close(): void {
		clearTimeout(this.#timer);
		this.#wire?.("leave");
	}

	/** A browser gives up after an answer that is no stream; this tries again for as long as the page is seen. */
	#lost(): void {
		this.#sleep();
		this.#timer = setTimeout(() => this.#open(), this.#wait);
		this.#wait = Math.min(2 * this.#wait, this.away ? longestAway : longestWait);
		this.#tries++;
		session.load().then(
			() => {
				this.#back();
				this.deaf = this.#tries >= patience;
			},
			() => {
				this.away = true;
				this.deaf = false;
			},
		);
	}

	#back(): void {
		if (!this.away) return;
		this.away = false;
		this.#tell("all");
	}

	// The first word after connecting says where the journal is, and not how it came there: it names no entities.
	#changed(data: string): void {
		const { hash, entities } = JSON.parse(data) as { hash: string; entities: string[] };
		const news = hash !== this.#head;
		const which = this.#missed || entities.length === 0 ? "all" : new Set(entities);
		this.#head = hash;
		this.#missed = false;
		this.#wait = firstWait;
		this.#tries = 0;
		this.deaf = false;
		this.#back();
		if (news) this.#tell(which);
	}

	#tell(entities: ReadonlySet<string> | "all"): void {
		asking.leave();
		for (const listener of [...this.#listeners]) listener(entities);
	}
}

export const events = new Events();

import { api, whenUnauthorized } from "./client";
import { forgetDrafts } from "./draft";
import type { components } from "./schema";

type State = components["schemas"]["Session"];

/** Session tells who is signed in. Without required tokens anyone may read. */
class Session {
	#state = $state.raw<State>();
	#ended = $state(false);
	/** Tells the other windows of the browser about a sign-out. Hidden windows have no connection to the server. */
	#out = new BroadcastChannel("daybook.out");

	constructor() {
		whenUnauthorized(() => this.#end());
		this.#out.onmessage = () => this.#end();
	}

	/** known reports whether the server has sent the session. */
	get known(): boolean {
		return this.#state !== undefined;
	}

	/** signInRequired reports whether the reader must sign in first. */
	get signInRequired(): boolean {
		return !!this.#state?.required && !this.#state.signed_in;
	}

	/** ended reports whether a session of this page ended, and not by signing out here. */
	get ended(): boolean {
		return this.#ended && this.signInRequired;
	}

	get openToAll(): boolean {
		return this.#state?.open_to_all ?? false;
	}

	get signedIn(): State["signed_in"] {
		return this.#state?.signed_in ?? null;
	}

	/** mayWrite reports whether the reader may change records. */
	get mayWrite(): boolean {
		const scope = this.signedIn?.scope;
		return scope ? scope === "write" || scope === "admin" : !this.signInRequired;
	}

	/**
	 * head is the hash of the newest journal entry when the session was loaded, which is before any record was read;
	 * null if the reader may not read.
	 */
	get head(): State["hash"] {
		return this.#state?.hash ?? null;
	}

	/** expired reports whether the session has ended by the clock of this browser. */
	get expired(): boolean {
		return this.signedIn !== null && Date.parse(this.signedIn.expires_at) <= Date.now();
	}

	/** forget drops the session, so that nothing is shown until load. If anyone may read, it does nothing. */
	forget(): void {
		if (!this.#state?.required) return;
		this.#ended ||= this.signedIn !== null;
		this.#state = undefined;
	}

	#end(): void {
		if (!this.#state) return;
		this.#ended ||= this.signedIn !== null;
		this.#state = { ...this.#state, required: true, signed_in: null };
	}

	/** load reads the session from the server. Throws ApiError if the server refuses. */
	async load(): Promise<void> {
		this.#state = (await api.GET("/api/v1/session")).data;
	}

	/** signIn exchanges a token for a session of this browser. Throws ApiError if the token is not valid. */
	async signIn(token: string): Promise<void> {
		this.#state = (await api.POST("/api/v1/session", { body: { token } })).data;
		this.#ended = false;
	}

	/** signOut ends the session in all windows of this browser. If it throws, the session goes on. */
	async signOut(): Promise<void> {
		this.#state = (await api.DELETE("/api/v1/session")).data;
		forgetDrafts();
		this.#ended = false;
		this.#out.postMessage(null);
	}
}

export const session = new Session();

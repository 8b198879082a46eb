import { api, whenUnauthorized } from "./client";
import type { components } from "./schema";

type State = components["schemas"]["Session"];

/** Session is who reads: anyone where no token is in force, else who signed in. */
class Session {
	#state = $state.raw<State>();
	/** Tells the other windows of the browser that somebody signed out: those that are not seen hear nothing of the server. */
	#out = new BroadcastChannel("daybook.out");

	constructor() {
		whenUnauthorized(() => this.#end());
		this.#out.onmessage = () => this.#end();
	}

	/** known is whether the server has said who may read. */
	get known(): boolean {
		return this.#state !== undefined;
	}

	/** wanted is whether nothing can be read before signing in. */
	get wanted(): boolean {
		return !!this.#state?.required && !this.#state.signed_in;
	}

	get openToAll(): boolean {
		return this.#state?.open_to_all ?? false;
	}

	get signedIn(): State["signed_in"] {
		return this.#state?.signed_in ?? null;
	}

	/** head is the hash of the journal's newest entry when the server said so, before any record was asked for; null where none may be read. */
	get head(): State["hash"] {
		return this.#state?.hash ?? null;
	}

	/** expired is whether the session has ended by the clock of this browser. */
	get expired(): boolean {
		return this.signedIn !== null && Date.parse(this.signedIn.expires_at) <= Date.now();
	}

	/** forget is to know nothing of who reads, so that nothing is shown until load. Where anyone may read, nothing is forgotten. */
	forget(): void {
		if (this.#state?.required) this.#state = undefined;
	}

	#end(): void {
		if (this.#state) this.#state = { ...this.#state, required: true, signed_in: null };
	}

	/** load asks the server; Refused when it does not say. */
	async load(): Promise<void> {
		this.#state = (await api.GET("/api/v1/session")).data;
	}

	/** signIn exchanges a token for a session of this browser; Refused when it is not good. */
	async signIn(token: string): Promise<void> {
		this.#state = (await api.POST("/api/v1/session", { body: { token } })).data;
	}

	/** signOut ends the session, in all windows of this browser; Refused, or what fetch throws, when it goes on. */
	async signOut(): Promise<void> {
		this.#state = (await api.DELETE("/api/v1/session")).data;
		this.#out.postMessage(null);
	}
}

export const session = new Session();

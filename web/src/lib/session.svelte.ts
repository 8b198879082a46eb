import { api, whenUnauthorized } from "./api";
import type { components } from "./schema";

type State = components["schemas"]["Session"];

/** Session is who reads: anyone where no token is in force, else who signed in. */
class Session {
	#state = $state.raw<State>();

	constructor() {
		whenUnauthorized(() => {
			if (this.#state) this.#state = { ...this.#state, required: true, signed_in: null };
		});
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

	/** load asks the server; Refused when it does not say. */
	async load(): Promise<void> {
		this.#state = (await api.GET("/api/v1/session")).data;
	}

	/** signIn exchanges a token for a session of this browser; Refused when it is not good. */
	async signIn(token: string): Promise<void> {
		this.#state = (await api.POST("/api/v1/session", { body: { token } })).data;
	}

	async signOut(): Promise<void> {
		this.#state = (await api.DELETE("/api/v1/session")).data;
	}
}

export const session = new Session();

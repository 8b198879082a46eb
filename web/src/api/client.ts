import createClient, {
	type Client,
	type ClientPathsWithMethod,
	type FetchResponse,
	type MaybeOptionalInit,
} from "openapi-fetch";
import { Refused } from "./error";
import { parse } from "./json";
import { pathOf } from "./request";
import type { paths } from "./schema";
import { Joined } from "./sharedRequests";
import { patiently } from "./timeout";

type Method = "get" | "post" | "put" | "delete";

type Data<Operation> =
	Operation extends Record<string | number, unknown>
		? NonNullable<FetchResponse<Operation, object, `${string}/${string}`>["data"]>
		: never;

/** Answered is what a method gives: always data, since what is refused is thrown. */
type Answered<M extends Method> = <Path extends ClientPathsWithMethod<Client<paths>, M>>(
	path: Path,
	...init: undefined extends MaybeOptionalInit<paths[Path], M>
		? [init?: MaybeOptionalInit<paths[Path], M>]
		: [init: MaybeOptionalInit<paths[Path], M>]
) => Promise<{ data: Data<paths[Path][M]>; response: Response }>;

let unauthorized = () => {};

/** whenUnauthorized says whom to tell that the server asks for a token. */
export function whenUnauthorized(tell: () => void): void {
	unauthorized = tell;
}

let unanswered = () => {};

/** whenUnanswered says whom to tell that a request was not answered in time. */
export function whenUnanswered(tell: () => void): void {
	unanswered = tell;
}

const client: Client<paths> = createClient<paths>({ baseUrl: location.origin });
client.use({
	async onResponse({ response }) {
		if (response.ok) return;
		if (response.status === 401) unauthorized();
		throw Refused.of(response.status, await response.text());
	},
});

type Call = (path: string, init?: object) => Promise<{ data?: unknown; response: Response }>;

type Init = { params?: { query?: Parameters<typeof pathOf>[1] }; signal?: AbortSignal };

/** ask sends a request. Where its answer does not come in time it says so, and throws a TimeoutError. */
function ask(call: unknown, path: string, init?: Init): Promise<{ data: unknown; response: Response }> {
	const send = async (signal: AbortSignal) => {
		// A body is read as text and parsed here, so that no decimal becomes a float.
		const { data, response } = await (call as Call)(path, { ...init, signal, parseAs: "text" });
		return { data: parse(String(data)), response };
	};
	return patiently(send, init?.signal, unanswered);
}

function answered<M extends Method>(call: unknown): Answered<M> {
	return ((path: string, init?: Init) => ask(call, path, init).finally(() => asking.leave())) as unknown as Answered<M>;
}

/** What is being asked. Who changes something, or is told of a change, leaves it and asks anew. */
export const asking = new Joined();

function joined(call: unknown): Answered<"get"> {
	return ((path: string, init?: Init) =>
		asking.ask(
			pathOf(path, init?.params?.query ?? {}),
			() => ask(call, path, init),
			init?.signal,
		)) as unknown as Answered<"get">;
}

/**
 * The interface, typed by its OpenAPI document: `(await api.GET("/api/v1/overview")).data`.
 * Decimals are Exact. Throws Refused; what fetch throws where the server was not reached.
 */
export const api = {
	GET: joined(client.GET),
	POST: answered<"post">(client.POST),
	PUT: answered<"put">(client.PUT),
	DELETE: answered<"delete">(client.DELETE),
};

import createClient, {
	type Client,
	type ClientPathsWithMethod,
	type FetchResponse,
	type MaybeOptionalInit,
} from "openapi-fetch";
import { ApiError } from "./error";
import { parse } from "./json";
import { pathOf } from "./request";
import type { paths } from "./schema";
import { SharedRequests } from "./sharedRequests";
import { withTimeout } from "./timeout";

type Method = "get" | "post" | "put" | "patch" | "delete";

type Data<Operation> =
	Operation extends Record<string | number, unknown>
		? NonNullable<FetchResponse<Operation, object, "application/json">["data"]>
		: never;

/** The result of a method. It always has data, because an error response throws. */
type Answered<M extends Method> = <Path extends ClientPathsWithMethod<Client<paths>, M>>(
	path: Path,
	...init: undefined extends MaybeOptionalInit<paths[Path], M>
		? [init?: MaybeOptionalInit<paths[Path], M>]
		: [init: MaybeOptionalInit<paths[Path], M>]
) => Promise<{ data: Data<paths[Path][M]>; response: Response }>;

let unauthorized = () => {};

/** whenUnauthorized sets what to call when the server requires a token. */
export function whenUnauthorized(tell: () => void): void {
	unauthorized = tell;
}

let timedOut = () => {};

/** whenTimedOut sets what to call when a request times out. */
export function whenTimedOut(tell: () => void): void {
	timedOut = tell;
}

const client: Client<paths> = createClient<paths>({ baseUrl: location.origin });
client.use({
	async onResponse({ response }) {
		if (response.ok) return;
		if (response.status === 401) unauthorized();
		throw ApiError.of(response.status, await response.text());
	},
});

type Call = (path: string, init?: object) => Promise<{ data?: unknown; response: Response }>;

type Init = { params?: { query?: Parameters<typeof pathOf>[1] }; signal?: AbortSignal; body?: unknown };

/** ask sends a request; a Blob is sent as it is. Throws a TimeoutError if the answer takes too long. */
function ask(call: unknown, path: string, init?: Init): Promise<{ data: unknown; response: Response }> {
	const file = init?.body instanceof Blob ? init.body : undefined;
	const raw = file && { bodySerializer: () => file, headers: { "Content-Type": file.type } };
	const send = async (signal: AbortSignal, heard: () => void) => {
		// Read the body as text: parsing it here keeps decimals exact.
		const { data, response } = await (call as Call)(path, { ...init, ...raw, signal, parseAs: "stream" });
		return { data: parse(await textOf(data as ReadableStream<Uint8Array>, heard)), response };
	};
	return withTimeout(send, init?.signal, timedOut, file?.size);
}

/** textOf reads a body of any size, and calls heard for each piece. */
async function textOf(body: ReadableStream<Uint8Array>, heard: () => void): Promise<string> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let text = "";
	for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
		heard();
		text += decoder.decode(piece.value, { stream: true });
	}
	return text + decoder.decode();
}

function answered<M extends Method>(call: unknown): Answered<M> {
	return ((path: string, init?: Init) =>
		ask(call, path, init).finally(() => sharedReads.forget())) as unknown as Answered<M>;
}

/** The reads that are under way. After a change, a new read must not share an older one. */
export const sharedReads = new SharedRequests();

function joined(call: unknown): Answered<"get"> {
	return ((path: string, init?: Init) =>
		sharedReads.send(
			pathOf(path, init?.params?.query ?? {}),
			() => ask(call, path, init),
			init?.signal,
		)) as unknown as Answered<"get">;
}

/**
 * The API, typed by its OpenAPI document: `(await api.GET("/api/v1/overview")).data`. Decimals are Exact. Throws
 * ApiError for an error response, and what fetch throws if the server cannot be reached.
 */
export const api = {
	GET: joined(client.GET),
	POST: answered<"post">(client.POST),
	PUT: answered<"put">(client.PUT),
	PATCH: answered<"patch">(client.PATCH),
	DELETE: answered<"delete">(client.DELETE),
};

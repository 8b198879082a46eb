/** A response as the server sent it. */
export interface HttpResponse {
	status: number;
	/** The status text, if the connection sends one. */
	reason: string;
	headers: [name: string, value: string][];
	body: string;
	/** Whether the body was cut off. */
	cut: boolean;
}

/** The most bytes of a body that are read. A list may be longer than a page can show. */
export const most = 200_000;

/** The headers that differ between responses. */
const shownHeaders = ["Content-Type", "ETag", "Retry-After", "Allow", "WWW-Authenticate", "X-Request-Id"];

/** sendRequest sends a request. An error response is an answer too. Throws what fetch throws. */
export async function sendRequest(method: string, path: string, signal: AbortSignal): Promise<HttpResponse> {
	const response = await fetch(path, { method, signal, cache: "no-store" });
	const headers = shownHeaders.flatMap((name): HttpResponse["headers"] => {
		const value = response.headers.get(name);
		return value === null ? [] : [[name, value]];
	});
	return { status: response.status, reason: response.statusText, headers, ...(await readStart(response)) };
}

async function readStart({ body: stream }: Response): Promise<Pick<HttpResponse, "body" | "cut">> {
	const reader = stream?.getReader();
	const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	let body = "";
	for (let left = most; reader; ) {
		const { done, value } = await reader.read();
		if (done) break;
		body += decoder.decode(value.subarray(0, left), { stream: true });
		left -= value.length;
		if (left >= 0) continue;
		await reader.cancel();
		return { body, cut: true };
	}
	return { body, cut: false };
}

/** escapeControls replaces characters that reorder text by their JSON escapes. */
export function escapeControls(text: string): string {
	return text.replace(/\p{Bidi_Control}/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** indented puts each value of a JSON text on its own line. Names and values keep every character. */
export function indented(json: string): string {
	let depth = 0;
	const line = () => `\n${"  ".repeat(Math.max(depth, 0))}`;
	return json.replace(/"(?:[^"\\]|\\.)*"?|\s+|[[{]\s*[\]}]|[[\]{},:]/gs, (part) => {
		if (part === ",") return part + line();
		if (part === ":") return ": ";
		if (part === "[" || part === "{") {
			depth++;
			return part + line();
		}
		if (part === "]" || part === "}") {
			depth--;
			return line() + part;
		}
		return part.startsWith('"') ? part : part.replace(/\s/g, "");
	});
}

/** An Answer is what the interface answered, as it was sent. */
export interface Answer {
	status: number;
	/** The status in words, where the connection sends them. */
	reason: string;
	headers: [name: string, value: string][];
	body: string;
	/** Whether the body is only the beginning of what was sent. */
	cut: boolean;
}

/** So many bytes of a body are read at most: a list may be longer than a page can show. */
export const most = 200_000;

/** The headers that say something of an answer. The others are the same for all. */
const told = ["Content-Type", "ETag", "Retry-After", "Allow", "WWW-Authenticate", "X-Request-Id"];

/** ask sends a request, and takes a refusal as an answer too. Throws what fetch throws. */
export async function ask(method: string, path: string, signal: AbortSignal): Promise<Answer> {
	const response = await fetch(path, { method, signal, cache: "no-store" });
	const headers = told.flatMap((name): Answer["headers"] => {
		const value = response.headers.get(name);
		return value === null ? [] : [[name, value]];
	});
	return { status: response.status, reason: response.statusText, headers, ...(await beginning(response)) };
}

async function beginning({ body: stream }: Response): Promise<Pick<Answer, "body" | "cut">> {
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

/** plain is a text with the characters that would turn what stands beside them as JSON escapes them. */
export function plain(text: string): string {
	return text.replace(/\p{Bidi_Control}/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** indented is JSON with a line for each value. Names and values keep every character that was sent. */
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

import { parse } from "./json";

/** A field at fault, by its name in the API. */
export interface Detail {
	field: string;
	message: string;
	/** With `changed_since`, the value that the field has. */
	is?: string | boolean;
	/** With `not_undoable`, the id of the record in the way, and what people call it. */
	entity_id?: number;
	record?: string;
}

/** Who changed a record since, with `changed_since`. */
export interface Since {
	seq: number;
	at: string;
	actor: string;
}

/** ApiError is an error response of the server. */
export class ApiError extends Error {
	override readonly name = "ApiError";

	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		readonly details: readonly Detail[] = [],
		/** The whole body, if it is JSON. */
		readonly body?: unknown,
	) {
		super(message);
	}

	/** of reads the body of an error response. If the body is not one of the API, the status is all that is known. */
	static of(status: number, body: string): ApiError {
		let said: unknown;
		try {
			said = parse(body);
			const { error, code, details } = said as { error: string; code: string; details?: Detail[] };
			if (typeof error === "string") return new ApiError(status, code, error, details, said);
		} catch {
			// A proxy between this page and the server may have answered.
		}
		return new ApiError(
			status,
			"unreadable",
			`The server answered with status ${status} and gave no reason.`,
			[],
			said,
		);
	}
}

import { parse } from "./json";

/** A field at fault, as the interface names it. */
export interface Detail {
	field: string;
	message: string;
}

/** Refused is why the server did not do what it was asked. */
export class Refused extends Error {
	override readonly name = "Refused";

	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		readonly details: readonly Detail[] = [],
	) {
		super(message);
	}

	/** of reads the error body of the interface; what is none of it is told by its status. */
	static of(status: number, body: string): Refused {
		try {
			const { error, code, details } = parse(body) as { error: string; code: string; details?: Detail[] };
			if (typeof error === "string") return new Refused(status, code, error, details);
		} catch {
			// Something between here and the server answered in its place.
		}
		return new Refused(status, "unreadable", `The server answered with status ${status}, and did not say why.`);
	}
}

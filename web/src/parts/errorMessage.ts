/** An error for the reader: what went wrong, in which fields, and what to do. */
export interface ErrorDescription {
	what: string;
	where: { field: string; message: string }[];
	advice: string;
}

const adviceByCode: Record<string, string> = {
	unauthorized: "Sign in with a valid token.",
	forbidden: "Sign in with a token that has the required scope.",
	not_found: "Choose another department or record. This one may have been deleted.",
	validation_failed: "Correct this filter.",
	unavailable: "Nothing was changed. Try again in a moment.",
	outcome_unknown: "Check what was stored before you try again.",
	host_not_allowed: "Open the page under a host name that the server allows (--allow-host).",
	internal: "The server log shows the cause under the id of this request.",
};

/** RenderError is the error of a part of the page that could not be rendered. */
export class RenderError extends Error {
	constructor(part: string) {
		super(`${part} could not be displayed.`);
	}
}

/** describeError describes anything that was thrown: an error response, a broken connection, or a bug of this page. */
export function describeError(error: unknown): ErrorDescription {
	if (!(error instanceof Error)) return { what: String(error), where: [], advice: "Reload the page." };
	const { code, details } = error as { code?: unknown; details?: unknown };
	if (typeof code === "string" && "status" in error) {
		return {
			what: error.message,
			where: places(details),
			advice: adviceByCode[code] ?? "Change the request and try again.",
		};
	}
	if (isUnreachable(error)) {
		return {
			what: "The server does not answer.",
			where: [],
			advice: "Check that it is running. The page continues as soon as it answers.",
		};
	}
	if (error.name === "TimeoutError") {
		return {
			what: "The server did not answer in time.",
			where: [],
			advice: "Check that it is running, and try again.",
		};
	}
	const advice =
		error instanceof RenderError
			? "This is a bug in the page, and no data was changed. Try again, or reload the page. The browser console shows the cause."
			: "Reload the page.";
	return { what: error.message || error.name, where: [], advice };
}

/** isUnreachable reports whether fetch could not reach the server. Each browser has its own words for that. */
export function isUnreachable(error: unknown): boolean {
	return error instanceof TypeError && /fetch|network|load failed/i.test(error.message);
}

function places(details: unknown): ErrorDescription["where"] {
	if (!Array.isArray(details)) return [];
	return details.map((detail) => ({ field: String(detail?.field ?? ""), message: String(detail?.message ?? "") }));
}

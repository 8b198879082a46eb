import { paired } from "../format/bidi";

/** An error for the reader: what went wrong, in which fields, and what to do. */
export interface ErrorDescription {
	what: string;
	where: { field: string; message: string }[];
	advice: string;
}

/** What to do about each code of the interface. A test holds it to the description of the interface. */
export const adviceByCode: Record<string, string> = {
	invalid_json: "This is a bug in the page: it sent a body that is not JSON. Nothing was changed. Reload the page.",
	validation_failed: "Correct what is named here, and try again.",
	unknown_reference: "It may have been deleted. Choose another one.",
	missing_identifier: "Say which record, and try again.",
	unauthorized: "Sign in with a valid token.",
	forbidden: "Sign in with a token that has the required scope.",
	not_found: "Choose another department or record. This one may have been deleted.",
	method_not_allowed: "The server may run another version than this page. Reload the page.",
	request_timeout: "The connection may be slow. Nothing was changed. Try again.",
	conflicting_identifiers: "Name one record only, and try again.",
	ambiguous_identifier: "Use one of the codes that are named here.",
	already_exists: "Change the one that exists, or choose another code.",
	changed_since: "Compare both, and keep yours or take theirs.",
	not_empty: "Demo data needs an empty database. Start the server with another file.",
	in_use: "Delete what refers to it first.",
	not_undoable: "Undo what was written later first.",
	payload_too_large: "Send less at a time.",
	unsupported_media_type: "Send JSON.",
	host_not_allowed: "Open the page under a host name that the server allows (--allow-host).",
	idempotency_key_reused: "Nothing was changed. Save again.",
	too_many_requests: "Wait a minute, and try again.",
	rows_refused: "Correct the rows that are named, and send all of them again. Nothing was stored.",
	unreadable_file: "Nothing was stored. Send a file that is a table: CSV, or a workbook (.xlsx).",
	questions_open: "Answer the questions about the file first.",
	not_ready: "The file is still being read. Try again in a moment.",
	too_many_imports: "Finish or leave an import that you began, or wait an hour.",
	too_many_rows: "Choose CSV, which has room for all rows, or a filter.",
	internal: "The server log shows the cause under the id of this request.",
	unavailable: "Nothing was changed. Try again in a moment.",
	outcome_unknown:
		"It may be stored or not. What a form saves again is stored once; otherwise look before you try again.",
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
			what: paired(error.message),
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
	return details.map((detail) => ({
		field: String(detail?.field ?? ""),
		message: paired(String(detail?.message ?? "")),
	}));
}

/** What went wrong, where, and how to mend it. */
export interface Trouble {
	what: string;
	where: { field: string; message: string }[];
	mend: string;
}

const mends: Record<string, string> = {
	unauthorized: "Sign in with a token that is in force.",
	forbidden: "Sign in with a token whose scope reaches this.",
	not_found: "Choose another department or record; this one may have been deleted.",
	validation_failed: "Change the filter named here.",
	unavailable: "Nothing was changed. Try again in a moment.",
	outcome_unknown: "Look what is stored before you try again.",
	host_not_allowed: "Open the page under a name that the server allows (--allow-host).",
	internal: "The server's log has the cause, under this request's id.",
};

/** Undrawn is a part of the page that could not be drawn. */
export class Undrawn extends Error {
	constructor(part: string) {
		super(`${part} could not be drawn.`);
	}
}

/** trouble reads whatever was thrown: the interface's own refusal, a broken connection, or a defect of this page. */
export function trouble(error: unknown): Trouble {
	if (!(error instanceof Error)) return { what: String(error), where: [], mend: "Reload the page." };
	const { code, details } = error as { code?: unknown; details?: unknown };
	if (typeof code === "string" && "status" in error) {
		return {
			what: error.message,
			where: places(details),
			mend: mends[code] ?? "Change what was asked for and try again.",
		};
	}
	if (unanswered(error)) {
		return {
			what: "The server does not answer.",
			where: [],
			mend: "See that it is running. The page goes on by itself once it answers.",
		};
	}
	if (error.name === "TimeoutError") {
		return { what: "The server did not answer in time.", where: [], mend: "See that it is running, and try again." };
	}
	const mend =
		error instanceof Undrawn
			? "This is a fault of the page; nothing that is stored was changed. Try again, or reload the page. The browser's console shows the cause."
			: "Reload the page.";
	return { what: error.message || error.name, where: [], mend };
}

/** unanswered is whether what was thrown is that the server was not reached, in the words of whichever browser. */
export function unanswered(error: unknown): boolean {
	return error instanceof TypeError && /fetch|network|load failed/i.test(error.message);
}

function places(details: unknown): Trouble["where"] {
	if (!Array.isArray(details)) return [];
	return details.map((detail) => ({ field: String(detail?.field ?? ""), message: String(detail?.message ?? "") }));
}

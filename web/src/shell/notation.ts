import type { Parameters } from "../address/address.svelte";
import { wholeNumber } from "../address/number";
import { original, versions } from "../budget/versions";
import { units } from "../format/amounts";

/** The codes that an address may name, as they are stored. */
interface Codes {
	departments: readonly string[];
	currencies: readonly string[];
}

/**
 * notation returns the parameters that several screens share as the page writes them. A link may write them as the
 * server accepts them: 2026.0, 06, FORECAST1, eur, or ALL for every department. What the server would refuse is
 * returned unchanged, so that its error message quotes it.
 */
export function notation(get: (name: string) => string, { departments, currencies }: Codes): Parameters {
	const version = alike(get("version"), versions);
	const dept = get("dept");
	return {
		year: String(wholeNumber(get("year"))),
		period: String(wholeNumber(get("period"))),
		version: version === original ? "" : version,
		against: alike(get("against"), versions),
		dept: alike(dept, ["ALL"]) === "ALL" ? "" : alike(dept, departments),
		currency: alike(get("currency"), currencies),
		unit: alike(
			get("unit"),
			units.map(({ unit }) => unit),
		),
	};
}

/** alike returns the choice that a text names without regard to case, or the text. */
function alike(text: string, choices: readonly string[]): string {
	const named = text.trim().toLowerCase();
	return choices.find((choice) => choice.toLowerCase() === named) ?? text;
}

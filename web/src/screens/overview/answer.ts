import type { components } from "../../api/schema";
import { type Piece, wholeOf } from "../../budget/answer";
import { Decimal } from "../../format/decimal";
import { period as periodOf } from "../../format/format";

type Overview = components["schemas"]["CurrencyOverview"];
type Driver = components["schemas"]["Driver"];

interface Links {
	period: string;
	yearToDate: string;
	line: (driver: Driver) => string;
	/** Names a line by its account and its department. */
	name: (driver: Driver) => string;
}

/** answerOf says how far the year to date and its last period are from plan, and what did most in the period. */
export function answerOf(
	overview: Overview,
	{ year, period, planned }: { year: number; period: number; planned: string },
	links: Links,
): Piece[] {
	const whole = (subject: string, net: Overview["period"], href: string) =>
		wholeOf({ subject, ...net, variance: net.variance_abs, percent: net.variance_pct, href, planned });
	if (period === 1) {
		const subject = `The net result of ${periodOf(year, period)}`;
		return [...whole(subject, overview.period, links.period), ...mostOf(overview, links), "."];
	}
	const toDate = whole("The net result of the year to date", overview.year_to_date, links.yearToDate);
	const { budget, actual, variance_abs } = overview.period;
	const name = `P${String(period).padStart(2, "0")} alone`;
	const alone: Piece[] =
		budget === null || actual === null || Decimal.of(variance_abs).sign === 0
			? whole(name, overview.period, links.period)
			: [`${name} is `, { variance: variance_abs, href: links.period }, ...mostOf(overview, links)];
	return [...toDate, "; ", ...alone, "."];
}

/** mostOf names the line that did most in the direction of a period, and the sum of everything else. */
function mostOf({ period, worst, best }: Overview, { line, name, period: href }: Links): Piece[] {
	const total = Decimal.of(period.variance_abs);
	const [most] = total.sign < 0 ? worst : best;
	if (!most || period.budget === null || period.actual === null || total.sign === 0) return [];
	const rest = total.minus(Decimal.of(most.variance_abs));
	if (rest.sign === 0) return [", all of it from ", { name: name(most) }];
	return [
		", with ",
		{ name: name(most) },
		" ",
		{ variance: most.variance_abs, href: line(most) },
		" and everything else ",
		{ variance: rest, href },
	];
}

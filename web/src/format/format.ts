import { Decimal, type Exact } from "./decimal";

/** The languages that the browser prefers. Numbers and dates follow them; words stay English. */
const locale = (globalThis.navigator?.languages ?? []).filter(valid);

/** valid reports whether Intl takes a language. Users and extensions can set any text, such as en_US. */
function valid(language: string): boolean {
	try {
		return Intl.getCanonicalLocales(language).length > 0;
	} catch {
		return false;
	}
}

/** language is the language of the numbers, such as de. */
export const language = () => new Intl.NumberFormat(locale).resolvedOptions().locale.split("-")[0] ?? "en";

export type Value = Exact | Decimal | null | undefined;

/** places defaults to 2. Unless told otherwise, a negative number is in parentheses and zero is a dash. */
export interface Style {
	places?: number | undefined;
	parentheses?: boolean | undefined;
	zeroDash?: boolean | undefined;
}

/** A printer of exact numbers. Intl rounds the digits of a text; a float would lose some. */
type Printer = (exact: Decimal) => string;

function printer(options: Intl.NumberFormatOptions): Printer {
	const format = new Intl.NumberFormat(locale, options);
	return (exact) => format.format(exact.toString() as `${number}`);
}

function kept<K, V>(make: (key: K) => V): (key: K) => V {
	const made = new Map<K, V>();
	return (key) => {
		let value = made.get(key);
		if (value === undefined) {
			value = make(key);
			made.set(key, value);
		}
		return value;
	};
}

const figures = kept((places: number) => printer({ minimumFractionDigits: places, maximumFractionDigits: places }));

const percents = kept((places: number) =>
	printer({ style: "unit", unit: "percent", minimumFractionDigits: places, maximumFractionDigits: places }),
);

function print(value: Value, printers: (places: number) => Printer, style: Style): string {
	if (value === null || value === undefined || value === "") return "";
	const { places = 2, parentheses = true, zeroDash = true } = style;
	const exact = value instanceof Decimal ? value : Decimal.of(value);
	if (exact.sign === 0 && zeroDash) return "–";
	const shown = exact.rounded(places);
	if (shown.sign >= 0 || !parentheses) return printers(places)(shown);
	return `(${printers(places)(shown.negated())})`;
}

/** figure prints an amount as a report does, rounded half away from zero; "" for no amount. */
export function figure(value: Value, style: Style = {}): string {
	return print(value, figures, style);
}

/** percent prints 12.54 as 12.5%, or as 12.5 where the head of a column has the sign. */
export function percent(value: Value, { sign = true, ...style }: Style & { sign?: boolean | undefined } = {}): string {
	return print(value, sign ? percents : figures, { places: 1, ...style });
}

/** whole prints a count in a sentence: with separators, and zero as 0. */
export function whole(n: Exact | Decimal | null | undefined): string {
	return figure(n, { places: 0, parentheses: false, zeroDash: false });
}

/** Making an Intl object takes a browser milliseconds, so each is made when it is first needed. */
function needed<T>(make: () => T): () => T {
	let made: T | undefined;
	return () => {
		made ??= make();
		return made;
	};
}

const currencies = needed(() => new Intl.DisplayNames(locale, { type: "currency", fallback: "none" }));

/** currencyName returns the name of a currency in the reader's language; "" if it has none. */
export function currencyName(code: string): string {
	return /^[A-Za-z]{3}$/.test(code) ? (currencies().of(code) ?? "") : "";
}

// Fiscal years are of this calendar in every locale.
const calendar = "gregory";

const days = needed(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC", calendar }));

const instants = needed(
	() =>
		new Intl.DateTimeFormat(locale, {
			calendar,
			year: "numeric",
			month: "short",
			day: "numeric",
			hour: "2-digit",
			minute: "2-digit",
			second: "2-digit",
			timeZoneName: "short",
		}),
);

/** date prints the day, in UTC, of a date or an instant. Any other text is printed unchanged. */
export function date(iso: string | null | undefined): string {
	return moment(iso, (at) => days().format(at));
}

/** day prints the day, in UTC, of a date or an instant in every locale as 2026-11-20. */
export function day(iso: string | null | undefined): string {
	return moment(iso, (at) => at.toISOString().split("T")[0] ?? "");
}

/** minute prints an instant in every locale as 2026-11-20 17:47, in UTC. */
export function minute(iso: string | null | undefined): string {
	return moment(iso, (at) => at.toISOString().replace(/T(\d\d:\d\d).*/, " $1"));
}

/** instant prints a date and time in the reader's time zone. */
export function instant(iso: string | null | undefined): string {
	return moment(iso, (at) => instants().format(at));
}

const spans: [Intl.RelativeTimeFormatUnit, number][] = [
	["year", 31_556_952_000],
	["month", 2_629_746_000],
	["day", 86_400_000],
	["hour", 3_600_000],
	["minute", 60_000],
];

const distances = needed(() => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));

/** ago prints the distance between an instant and `now` (in milliseconds): "3 hours ago". */
export function ago(iso: string | null | undefined, now = Date.now()): string {
	return moment(iso, (at) => {
		const passed = at.getTime() - now;
		for (const [unit, length] of spans) {
			if (Math.abs(passed) >= length) return distances().format(Math.trunc(passed / length), unit);
		}
		return distances().format(Math.trunc(passed / 1000), "second");
	});
}

/** period prints a fiscal period, which need not be a calendar month: P06 2026. Anything but integers gives "". */
export function period(year: number, period: number): string {
	if (!Number.isInteger(year) || !Number.isInteger(period)) return "";
	return `P${String(period).padStart(2, "0")} ${year}`;
}

function moment(iso: string | null | undefined, print: (at: Date) => string): string {
	if (!iso) return "";
	const at = new Date(iso);
	return Number.isNaN(at.getTime()) ? iso : print(at);
}

import { address } from "../../address/address.svelte";
import { wholeNumber } from "../../address/number";
import { api } from "../../api/client";
import { type Live, live } from "../../api/live.svelte";
import type { paths } from "../../api/schema";
import { original } from "../../budget/versions";
import type { Summary, Trend } from "./statement";

type SummaryQuery = NonNullable<paths["/api/v1/variance/summary"]["get"]["parameters"]["query"]>;
type TrendQuery = NonNullable<paths["/api/v1/variance/trend"]["get"]["parameters"]["query"]>;

/** The entities that change a variance. */
export const entities = ["budget_lines", "actuals", "departments", "gl_accounts"];

/** chosenVersions returns the version in the address and the version to compare with, if any. */
export function chosenVersions(): string[] {
	const version = address.get("version") || original;
	const against = address.get("against");
	return against && against !== version ? [version, against] : [version];
}

/** A live answer for each chosen version; null where nothing is compared. */
export type OfVersions<T> = readonly [main: Live<T | null>, other: Live<T | null>];

/** ofVersions asks for each chosen version apart, so that one that the server refuses does not hide the other. */
export function ofVersions<T>(load: (version: string, signal: AbortSignal) => Promise<T>): OfVersions<T> {
	const of = (nth: number) =>
		live(async (signal) => {
			const version = chosenVersions()[nth];
			return version === undefined ? null : load(version, signal);
		}, entities);
	return [of(0), of(1)];
}

/** settled reports whether each has an answer, or the reason why there is none. */
export function settled(answers: readonly Live<unknown>[]): boolean {
	return answers.every(({ value, error }) => value !== undefined || error !== undefined);
}

/** given returns the answers that are there, in the order of the versions. */
export function given<T>(answers: readonly Live<T | null>[]): T[] {
	return answers.flatMap(({ value }) => value ?? []) as T[];
}

/** toDate reports whether the address asks for the year to date. */
export function toDate(): boolean {
	return address.get("span") === "year_to_date";
}

/** summaryQuery returns the query for a summary of what the address names. */
export function summaryQuery(version: string, by: "account" | "line" | "department"): SummaryQuery {
	return {
		...trendQuery(version),
		period: wholeNumber(address.get("period")),
		by,
		...(toDate() ? { span: "year_to_date" } : {}),
	} as SummaryQuery;
}

/** trendQuery returns the query for the year in the address. */
export function trendQuery(version: string): TrendQuery {
	const query: Record<string, string | number> = { year: wholeNumber(address.get("year")) };
	if (version !== original) query.version = version;
	for (const name of ["dept", "currency"]) if (address.get(name)) query[name] = address.get(name);
	return query as unknown as TrendQuery;
}

export async function summaryOf(query: SummaryQuery, signal: AbortSignal): Promise<Summary> {
	return (await api.GET("/api/v1/variance/summary", { params: { query }, signal })).data;
}

export async function trendOf(query: TrendQuery, signal: AbortSignal): Promise<Trend> {
	return (await api.GET("/api/v1/variance/trend", { params: { query }, signal })).data;
}

/** inSentence returns the period of figures inside a sentence. */
export function inSentence(span: string): string {
	return toDate() ? "the year to date" : span;
}

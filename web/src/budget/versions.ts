import { versionValues } from "../api/schema";

/** The versions of a budget; the first is the default. */
export const versions = versionValues;

/** The version of an address without one. */
export const original = "original";

const titles: Record<string, string> = {
	original: "Original budget",
	forecast1: "Forecast 1",
	forecast2: "Forecast 2",
	forecast3: "Forecast 3",
};

/** versionTitle returns the name of a version on the page. */
export function versionTitle(version: string): string {
	return titles[version] ?? version;
}

/** versionInSentence returns the name of a version inside a sentence. */
export function versionInSentence(version: string): string {
	const title = titles[version]?.toLowerCase() ?? version;
	return version === original ? `the ${title}` : title;
}

/** planOf returns what a version is called beside an actual: budget, or forecast 1. */
export function planOf(version: string): string {
	return version === original ? "budget" : (titles[version]?.toLowerCase() ?? version);
}

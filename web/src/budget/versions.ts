/** The versions of a budget, the plan of the year first. */
export const versions = ["original", "forecast1", "forecast2", "forecast3"] as const;

const titles: Record<string, string> = {
	original: "Original",
	forecast1: "Forecast 1",
	forecast2: "Forecast 2",
	forecast3: "Forecast 3",
};

/** versionTitle is what a version is called on a page. */
export function versionTitle(version: string): string {
	return titles[version] ?? version;
}

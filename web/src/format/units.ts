const lengths: Record<string, number> = { h: 3600e6, m: 60e6, s: 1e6, ms: 1e3, µs: 1, ns: 1e-3 };

/** microseconds reads a duration as Go prints it, such as "1h2m3s" or "85µs". Anything else is undefined. */
export function microseconds(duration: string): number | undefined {
	const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(h|ms|µs|ns|m|s)/g)];
	if (parts.map(([part]) => part).join("") !== duration || parts.length === 0) return undefined;
	return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (lengths[unit ?? ""] ?? 0), 0);
}

/** bytes prints a size: 8.4 MB. */
export function bytes(count: number): string {
	const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
	let size = count;
	let at = 0;
	while (size >= 1000 && at < units.length - 1) {
		size /= 1000;
		at++;
	}
	return new Intl.NumberFormat(undefined, {
		style: "unit",
		unit: units[at] ?? "byte",
		unitDisplay: at === 0 ? "long" : "short",
		maximumFractionDigits: size < 10 && at > 0 ? 1 : 0,
	}).format(size);
}

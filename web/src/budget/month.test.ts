import { expect, it } from "vitest";
import { addPeriods } from "./month";

it.each([
	[{ year: 2026, period: 6 }, 1, { year: 2026, period: 7 }],
	[{ year: 2026, period: 12 }, 1, { year: 2027, period: 1 }],
	[{ year: 2026, period: 1 }, -1, { year: 2025, period: 12 }],
	[{ year: 2026, period: 3 }, -27, { year: 2023, period: 12 }],
	[{ year: 1900, period: 1 }, -1, { year: 1900, period: 1 }],
	[{ year: 9999, period: 12 }, 1, { year: 9999, period: 12 }],
])("%j and %i", (month, periods, want) => {
	expect(addPeriods(month, periods)).toEqual(want);
});

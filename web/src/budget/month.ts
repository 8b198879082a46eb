/** A period of a fiscal year: 1 to 12. */
export interface Month {
	year: number;
	period: number;
}

/** The years that the server accepts for a budget line. */
const [firstYear, lastYear] = [1900, 9999];

/** addPeriods returns the month that is `periods` later, or earlier if negative. It stops at the first and the last month. */
export function addPeriods(month: Month, periods: number): Month {
	const count = month.year * 12 + month.period - 1 + periods;
	const within = Math.min(Math.max(count, firstYear * 12), lastYear * 12 + 11);
	return { year: Math.floor(within / 12), period: (within % 12) + 1 };
}

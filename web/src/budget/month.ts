/** A period of a fiscal year: 1 to 12. */
export interface Month {
	year: number;
	period: number;
}

/** addPeriods returns the month that is `periods` later, or earlier if negative. */
export function addPeriods(month: Month, periods: number): Month {
	const count = month.year * 12 + month.period - 1 + periods;
	return { year: Math.floor(count / 12), period: (((count % 12) + 12) % 12) + 1 };
}

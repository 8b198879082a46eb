/** The newest readings of something, oldest first; undefined where there was none. */
export class Trail {
	constructor(
		readonly most: number,
		readonly readings: readonly (number | undefined)[] = [],
	) {}

	/** and is the trail with one more reading, and not more than `most`. */
	and(reading: number | undefined): Trail {
		return new Trail(this.most, [...this.readings, reading].slice(-this.most));
	}

	/**
	 * path draws it on a sheet from 0,0 to width,height, the newest at the right edge and zero at the
	 * bottom, as the d of an SVG path; what is missing is a gap.
	 */
	path(width: number, height: number): string {
		const highest = Math.max(...this.readings.map((r) => r ?? 0)) || 1;
		const step = width / (this.most - 1);
		const left = width - step * (this.readings.length - 1);
		let drawn = "";
		let before: number | undefined;
		this.readings.forEach((reading, i) => {
			if (reading !== undefined) {
				const x = (left + i * step).toFixed(1);
				const y = (height - (reading / highest) * height).toFixed(1);
				drawn += `${before === undefined ? "M" : "L"}${x} ${y}`;
			}
			before = reading;
		});
		return drawn;
	}
}

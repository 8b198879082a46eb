/** The newest samples of a measurement, oldest first; undefined for a failed one. */
export class Samples {
	constructor(
		readonly most: number,
		readonly readings: readonly (number | undefined)[] = [],
	) {}

	/** with returns the samples with one more, and at most `most`. */
	with(reading: number | undefined): Samples {
		return new Samples(this.most, [...this.readings, reading].slice(-this.most));
	}

	/**
	 * path draws the samples from 0,0 to width,height as the d of an SVG path. The newest is at the right edge, zero
	 * at the bottom, and a missing sample is a gap.
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

/** random returns random numbers for tests, the same for the same seed (mulberry32). */
export function random(seed: number) {
	let state = seed;

	function next(): number {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	}

	const below = (end: number) => Math.floor(next() * end);
	const digits = (count: number) => Array.from({ length: count }, () => below(10)).join("");

	return {
		below,
		/** decimal returns a decimal with at most so many digits before and after its point, without leading zeros. */
		decimal(whole: number, fraction: number): string {
			const places = below(fraction + 1);
			const text = digits(1 + below(whole)).replace(/^0+(?=\d)/, "") + (places > 0 ? `.${digits(places)}` : "");
			return below(2) === 0 && /[1-9]/.test(text) ? `-${text}` : text;
		},
	};
}

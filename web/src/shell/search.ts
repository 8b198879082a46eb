/** A search result. */
export interface Target {
	kind: string;
	/** The code; "" if there is only a name. */
	code: string;
	name: string;
	href: string;
}

const most = 50;

/**
 * search returns the targets that contain every word, those that begin with a word first. An empty search returns
 * all.
 */
export function search(targets: readonly Target[], asked: string): Target[] {
	const words = folded(asked).split(/\s+/).filter(Boolean);
	if (words.length === 0) return targets.slice(0, most);
	return targets
		.map((target) => ({ target, rank: rank(target, words) }))
		.filter(({ rank }) => rank > 0)
		.sort((a, b) => b.rank - a.rank)
		.slice(0, most)
		.map(({ target }) => target);
}

function rank(target: Target, words: readonly string[]): number {
	const code = folded(target.code);
	const name = folded(target.name);
	let sum = 0;
	for (const word of words) {
		const found =
			code === word ? 8 : code.startsWith(word) ? 4 : ` ${name}`.includes(` ${word}`) ? 3 : name.includes(word) ? 1 : 0;
		if (found === 0 && !folded(target.kind).startsWith(word)) return 0;
		sum += found + 1;
	}
	return sum;
}

/** folded removes case, accents and invisible characters. */
function folded(text: string): string {
	return text
		.normalize("NFD")
		.replace(/[\p{M}\p{Cf}]/gu, "")
		.toLowerCase();
}

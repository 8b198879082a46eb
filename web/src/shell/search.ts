/** What can be jumped to. */
export interface Target {
	kind: string;
	/** The code it is known by; "" where its name is all. */
	code: string;
	name: string;
	href: string;
}

const most = 50;

/** search finds the targets that have every word, those that begin with them first; all where nothing is asked. */
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

/** folded is without case, accents and what does not show. */
function folded(text: string): string {
	return text
		.normalize("NFD")
		.replace(/[\p{M}\p{Cf}]/gu, "")
		.toLowerCase();
}

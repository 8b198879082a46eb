import { Decimal, type Exact } from "../format/decimal";

/** Whether a variance is good or bad for the result: in a word that is shown, in a term that is spoken, and in a colour. */
export interface Direction {
	shown: "better" | "worse" | "on budget";
	spoken: "favourable" | "unfavourable" | "on budget";
	tone: "good" | "bad" | "";
}

const better: Direction = { shown: "better", spoken: "favourable", tone: "good" };
const worse: Direction = { shown: "worse", spoken: "unfavourable", tone: "bad" };
const level: Direction = { shown: "on budget", spoken: "on budget", tone: "" };

/** directionOf is the one rule for all screens: a positive variance is good for the result, whatever the account. */
export function directionOf(variance: Exact | Decimal): Direction {
	const { sign } = variance instanceof Decimal ? variance : Decimal.of(variance);
	return sign === 0 ? level : sign > 0 ? better : worse;
}

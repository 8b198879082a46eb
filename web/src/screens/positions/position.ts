import type { components } from "../../api/schema";
import type { Piece } from "../../budget/answer";
import { placesOf, price } from "../../format/amounts";
import { Decimal } from "../../format/decimal";
import { day, figure, whole } from "../../format/format";

export type Holding = components["schemas"]["Holding"];

/** costOf returns what the units held cost; what a short sale brought is negative. */
export function costOf({ value, unrealised }: Holding): Decimal {
	return Decimal.of(value).minus(Decimal.of(unrealised));
}

/** positionAnswer says a position in a sentence. Its figures lead to `href`. */
export function positionAnswer(of: Holding, href: string): Piece[] {
	const realised = Decimal.of(of.realised);
	const gain = (unit: boolean): Piece[] => {
		if (realised.sign === 0) return ["nothing is realised"];
		return [
			`a ${realised.sign < 0 ? "loss" : "gain"} of `,
			{ amount: realised.absolute(), href, unit },
			" is realised",
		];
	};
	if (of.side === "flat") return [`Closed on ${day(of.last_traded_at)}; `, ...gain(true), "."];
	const unrealised = Decimal.of(of.unrealised);
	// An average is not more precise than the prices that it stands beside.
	const average = figure(of.average_price, { places: Math.max(placesOf(of.mark, "exact"), 2) });
	const marked = of.mark_source === "company" ? "The price of the company is" : "The last trade was at";
	const result: Piece[] =
		unrealised.sign === 0
			? ["worth what it cost"]
			: [{ amount: unrealised.absolute(), href, unit: true }, unrealised.sign < 0 ? " down" : " up"];
	return [
		`${of.side === "long" ? "Long" : "Short"} ${whole(of.shares)} at an average of ${average}. `,
		`${marked} ${price(of.mark)}, so the position is `,
		...result,
		"; ",
		...gain(unrealised.sign === 0),
		".",
	];
}

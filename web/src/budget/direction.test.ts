import { render } from "svelte/server";
import { expect, test } from "vitest";
import { Decimal } from "../format/decimal";
import Direction from "./Direction.svelte";
import { directionOf } from "./direction";

test.each([
	["12.5", "better", "favourable", "good"],
	["-0.01", "worse", "unfavourable", "bad"],
	["0.00", "on budget", "on budget", ""],
])("a variance of %s is shown as %s, spoken as %s", (variance, shown, spoken, tone) => {
	expect(directionOf(variance)).toEqual({ shown, spoken, tone });
	expect(directionOf(Decimal.of(variance))).toEqual({ shown, spoken, tone });
	const word = render(Direction, { props: { variance, shown: true } }).body;
	expect(word).toMatch(new RegExp(`data-spoken="${spoken}".*<span aria-hidden="true"[^>]*>${shown}</span>`));
	expect(render(Direction, { props: { variance } }).body).not.toContain(`>${shown}<`);
});

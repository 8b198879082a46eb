import { type Amounts, proposedUnit, type Unit, units } from "../format/amounts";
import { address } from "./address.svelte";

const none = () => [];

/** The unit that the amounts of a screen are shown in: the one in the address, else the one that suits their size. */
class ShownUnit {
	#amounts = $state.raw<() => Iterable<Amounts>>(none);
	#proposed = $derived(proposedUnit(this.#amounts()));
	#chosen = $derived(units.find(({ unit }) => unit === address.get("unit"))?.unit);

	get current(): Unit {
		return this.#chosen ?? this.#proposed;
	}

	/** choose puts a unit in the address, also the proposed one: then new figures do not change it. */
	choose(unit: string): void {
		address.change({ unit });
	}

	/** suits takes the amounts of a screen, for as long as the screen is there. A screen calls it once. */
	suits(amounts: () => Iterable<Amounts>): void {
		this.#amounts = amounts;
		$effect(() => () => {
			if (this.#amounts === amounts) this.#amounts = none;
		});
	}
}

export const shownUnit = new ShownUnit();

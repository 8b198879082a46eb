/**
 * A decimal as the server sent it: a number if it is an integer that a float holds exactly, else its text.
 * `Decimal.of` reads both.
 */
export type Exact = number | string;

/** An exact decimal number: `units` times 10^-`places`. */
export class Decimal {
	private constructor(
		readonly units: bigint,
		readonly places: number,
	) {}

	static readonly zero = new Decimal(0n, 0);

	/** of reads a decimal. Throws a SyntaxError if the text is no decimal. */
	static of(exact: Exact): Decimal {
		const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(exact));
		if (!match) throw new SyntaxError(`not a decimal: ${exact}`);
		const [, sign, whole = "", fraction = ""] = match;
		const units = BigInt(whole + fraction);
		return new Decimal(sign ? -units : units, fraction.length);
	}

	/** read accepts every notation that the server accepts, such as .5, 5. and 1e3. Any other text is undefined. */
	static read(text: string): Decimal | undefined {
		const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim());
		const [, sign, whole = "", fraction = "", exponent = "0"] = match ?? [];
		if (whole + fraction === "") return undefined;
		const units = BigInt(whole + fraction);
		const places = fraction.length - Number(exponent);
		const signed = sign === "-" ? -units : units;
		return places < 0 ? new Decimal(signed * 10n ** BigInt(-places), 0) : new Decimal(signed, places);
	}

	/** sum adds decimals; the sum of none is zero. */
	static sum(addends: Iterable<Decimal>): Decimal {
		let total = Decimal.zero;
		for (const d of addends) total = total.plus(d);
		return total;
	}

	plus(other: Decimal): Decimal {
		const places = Math.max(this.places, other.places);
		return new Decimal(this.at(places) + other.at(places), places);
	}

	minus(other: Decimal): Decimal {
		return this.plus(other.negated());
	}

	/** times multiplies exactly. The product has no trailing zeros. */
	times(other: Decimal): Decimal {
		return new Decimal(this.units * other.units, this.places + other.places).trimmed();
	}

	/** over divides exactly by 10^power. */
	over(power: number): Decimal {
		return new Decimal(this.units, this.places + power);
	}

	/** trimmed has no trailing zeros among its decimals. */
	trimmed(): Decimal {
		let { units, places } = this;
		while (places > 0 && units % 10n === 0n) {
			units /= 10n;
			places--;
		}
		return new Decimal(units, places);
	}

	negated(): Decimal {
		return new Decimal(-this.units, this.places);
	}

	absolute(): Decimal {
		return this.units < 0n ? this.negated() : this;
	}

	/** sign is -1, 0 or 1. */
	get sign(): number {
		return this.units < 0n ? -1 : this.units > 0n ? 1 : 0;
	}

	/** compare returns a negative number, 0 or a positive number, as sort expects. */
	compare(other: Decimal): number {
		return this.minus(other).sign;
	}

	/** rounded returns the number with `places` decimals, rounded half away from zero. */
	rounded(places: number): Decimal {
		if (places >= this.places) return new Decimal(this.at(places), places);
		const unit = 10n ** BigInt(this.places - places);
		const half = this.units < 0n ? -unit / 2n : unit / 2n;
		return new Decimal((this.units + half) / unit, places);
	}

	/** number is approximate. Use it for lengths on a screen, never for a figure. */
	get number(): number {
		return Number(this.toString());
	}

	/** toString prints all decimals, a minus sign if negative, and no separators. */
	toString(): string {
		const digits = (this.units < 0n ? -this.units : this.units).toString().padStart(this.places + 1, "0");
		const sign = this.units < 0n ? "-" : "";
		if (this.places === 0) return sign + digits;
		return `${sign}${digits.slice(0, -this.places)}.${digits.slice(-this.places)}`;
	}

	private at(places: number): bigint {
		return this.units * 10n ** BigInt(places - this.places);
	}
}

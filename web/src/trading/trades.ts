import type { Parameters } from "../address/address.svelte";
import { wholeNumber } from "../address/number";
import type { components, paths } from "../api/schema";
import { isolated } from "../format/bidi";
import { Decimal } from "../format/decimal";
import { day } from "../format/format";

export type Trade = components["schemas"]["Trade"];
export type Product = components["schemas"]["Product"];

/** The products, by their numbers. */
export const products = ["Stock", "Call", "Put", "Currency", "Bond"] as const;

export const sideOf = (trade: Trade) => (trade.type ? "Buy" : "Sell");

/** valueOf returns shares times price, exactly. */
export function valueOf(trade: Trade): string {
	return Decimal.of(trade.shares).times(Decimal.of(trade.price)).toString();
}

/** tradesSaid says the filters of the trades as the beginning of a sentence. */
export function tradesSaid(get: (name: string) => string): string {
	const [side, product] = [get("side"), products[wholeNumber(get("product"))]];
	const kind = product?.toLowerCase() ?? "";
	const which = side === "buy" ? "buys" : side === "sell" ? "sales" : "trades";
	const symbol = get("symbol");
	const all = !side && !kind && !symbol ? "all" : kind;
	const days = (get("from") || get("to")) && daysSaid(get("from"), get("to"));
	return [all, which, symbol && `of ${isolated(symbol)}`, days].filter(Boolean).join(" ");
}

/** daysSaid says the days of the trades: those from the first to the last, or any. */
export function daysSaid(from: string, to: string): string {
	if (!from && !to) return "on any day";
	return [from && `from ${day(from)}`, to && `to ${day(to)}`].filter(Boolean).join(" ");
}

/** An instrument is identified by symbol, currency and product. */
interface Instrument {
	symbol: string;
	currency_code: string;
	product: number;
}

/** instrumentFilter returns the parameters that filter the trades by an instrument. */
export function instrumentFilter({ symbol, currency_code, product }: Instrument): Parameters {
	return { symbol, currency: currency_code, product: String(product) };
}

type Query = NonNullable<paths["/api/v1/trades"]["get"]["parameters"]["query"]>;

/** tradeQuery reads the filters of the trades from the address. `to` is the last day. */
export function tradeQuery(get: (name: string) => string): Query {
	const query: Query = {};
	if (get("symbol")) query.symbol = get("symbol");
	if (get("currency")) query.currency_code = get("currency");
	if (get("product")) query.product = wholeNumber<Product>(get("product"));
	const side = get("side");
	// An unknown side is sent unchanged, so that the server reports it.
	if (side) query.type = side === "buy" || side === "sell" ? side === "buy" : (side as unknown as boolean);
	if (get("from")) query.from = get("from");
	if (get("to")) query.to = get("to");
	return query;
}

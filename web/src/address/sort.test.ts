import { beforeEach, expect, it } from "vitest";
import { stubLocation } from "../../location";

let place: { hash: string };

beforeEach(() => {
	place = stubLocation();
});

async function opened(hash: string) {
	place.hash = hash;
	return (await import("./sort")).sortFromAddress;
}

it("reads the order from the address, or the default", async () => {
	const sortFromAddress = await opened("#/positions?sort=symbol&closed_sort=-trades");
	expect([sortFromAddress("sort", "-weight_pct").sort, sortFromAddress("closed_sort").sort]).toEqual([
		"symbol",
		"-trades",
	]);
	expect([sortFromAddress("other", "-weight_pct").sort, sortFromAddress("other").sort]).toEqual(["-weight_pct", ""]);
});

it("writes an order other than the default, under the parameter of the table", async () => {
	const sortFromAddress = await opened("#/positions?sort=symbol");
	sortFromAddress("closed_sort", "-last_traded_at").onsort("trades");
	expect(place.hash).toBe("#/positions?sort=symbol&closed_sort=trades");
	sortFromAddress("closed_sort", "-last_traded_at").onsort("-last_traded_at");
	expect(place.hash).toBe("#/positions?sort=symbol");
});

it("returns to the default with the third click, and reverses the default", async () => {
	const sortFromAddress = await opened("#/positions?sort=-symbol");
	const press = (usual: string) => sortFromAddress("sort", usual).onsort("");
	press("-weight_pct");
	expect(place.hash).toBe("#/positions");
	press("-weight_pct");
	expect(place.hash).toBe("#/positions?sort=weight_pct");
	press("");
	expect(place.hash).toBe("#/positions");
});

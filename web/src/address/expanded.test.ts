import { beforeEach, expect, it, vi } from "vitest";
import { stubLocation } from "../../location";

let place: { hash: string };

beforeEach(() => {
	place = stubLocation();
});

it("every expanded key is in the address and can be read back", async () => {
	place.hash = "#/positions?currency=USD";
	const { toggle } = await import("./expanded");
	for (const key of ["7", "USD 0 A,B", "100%2C &", "8"]) toggle("open", key);
	toggle("open", "8");
	expect(place.hash).toMatch(/^#\/positions\?currency=USD&open=7,USD/);

	vi.resetModules();
	const again = await import("./expanded");
	expect([...again.expandedKeys("open")]).toEqual(["7", "USD 0 A,B", "100%2C &"]);
	for (const key of again.expandedKeys("open")) again.toggle("open", key);
	expect(place.hash).toBe("#/positions?currency=USD");
});

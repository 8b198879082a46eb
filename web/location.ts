import { vi } from "vitest";

/** stubLocation gives a test a location whose address can be replaced, and modules that have not read it yet. */
export function stubLocation(): { hash: string } {
	const place = { hash: "" };
	vi.resetModules();
	vi.stubGlobal("location", place);
	vi.stubGlobal("addEventListener", () => {});
	vi.stubGlobal("history", {
		replaceState: (_: unknown, __: string, href: string) => {
			place.hash = href;
		},
	});
	return place;
}

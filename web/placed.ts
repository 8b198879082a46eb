import { vi } from "vitest";

/** placed gives a test a location whose address can be replaced, and modules that have not read it yet. */
export function placed(): { hash: string } {
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

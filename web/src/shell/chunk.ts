// A style sheet that failed to load stays in the page. The next attempt would take it for loaded.
addEventListener(
	"error",
	({ target }) => {
		if (target instanceof HTMLLinkElement) target.remove();
	},
	true,
);

/**
 * loadChunk imports a part of the page on demand. If the import fails, the browser does not say whether the server is
 * away, so this asks the server: fetch throws if it is.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
	try {
		return await load();
	} catch (cause) {
		await fetch("/", { cache: "no-store" });
		throw new Error("This part of the page could not be loaded. The server may run a newer version.", { cause });
	}
}

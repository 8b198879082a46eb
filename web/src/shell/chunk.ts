// A style that failed stays in the page, and would pass for loaded when its screen is loaded again.
addEventListener(
	"error",
	({ target }) => {
		if (target instanceof HTMLLinkElement) target.remove();
	},
	true,
);

/**
 * loaded is a part of the page that comes when it is wanted. What a browser says where one does not
 * come tells nobody whether the server is away, which is why that is asked: fetch throws it then.
 */
export async function loaded<T>(load: () => Promise<T>): Promise<T> {
	try {
		return await load();
	} catch (cause) {
		await fetch("/", { cache: "no-store" });
		throw new Error("This part of the page could not be loaded. The program may be a newer one by now.", { cause });
	}
}

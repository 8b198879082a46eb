import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Program } from "./program.ts";
import { hold, open, type Theme, Visitor } from "./visitor.ts";

interface Department {
	id: number;
	code: string;
	name: string;
	cost_center: string;
	active: boolean;
}

let browser: Browser;
let program: Program;
let visitor: Visitor;
/** What the browser says of an error response, which a test expects. */
let refused = 0;
beforeAll(async () => {
	[browser, program] = await Promise.all([open(), new Program().start()]);
	await program.post("/api/v1/department/create", { code: "ENG", name: "Engineering", cost_center: "CC-1" });
	await program.post("/api/v1/department/create", { code: "OPS", name: "תפעול" });
	await program.post("/api/v1/gl-accounts", { code: "6000", description: "Rent", type: "opex" });
});
afterAll(async () => {
	await browser?.close();
	await program?.end();
});
beforeEach(async () => {
	refused = 0;
	visitor = await Visitor.of(browser, program.origin);
});
afterEach(async () => {
	expect(visitor.complaints.filter((said) => !/status of (4|5)\d\d|ERR_/.test(said))).toEqual([]);
	expect(visitor.complaints.length).toBeLessThanOrEqual(refused);
	await visitor.end();
});

const { press, field, see, stored, dialog, told } = {
	press: async (...keys: string[]) => {
		for (const key of keys) await visitor.page.keyboard.press(key);
	},
	field: (label: string) => visitor.page.getByRole("dialog").getByLabel(label),
	see: (view: string) => visitor.see(`reference?view=${view}`),
	stored: (id: number) =>
		program
			.get<Department[]>("/api/v1/department/list")
			.then((all) => all.find((department) => department.id === id) as Department),
	dialog: (name: string) => visitor.page.getByRole("dialog", { name }),
	told: (text: string) => visitor.page.getByText(text, { exact: true }).waitFor(),
};

/** change opens the form of a department by keys: its row leads to it. */
async function change(name: string): Promise<void> {
	await visitor.page.getByRole("link", { name, exact: true }).focus();
	await press("Enter");
	await dialog("Change department").waitFor();
	await visitor.page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.name === "code");
}

test("a department is added by keys, and its wrong fields are named until they are right", async () => {
	refused = 2;
	await see("departments");
	await visitor.page.getByRole("button", { name: "Add department" }).focus();
	await press("Enter");
	await dialog("Add department").waitFor();
	await visitor.page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.name === "code");
	await visitor.page.keyboard.type("all");
	await press("Enter");
	await visitor.page.getByText("Must not be ALL, which stands for every department.").waitFor();
	expect(await field("Name").getAttribute("aria-invalid")).toBe("true");
	await visitor.page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.name === "code");
	await field("Code").fill("eng");
	await press("Tab");
	await visitor.page.keyboard.type("Legal");
	await press("Enter");
	await visitor.page.getByText("A department has the code ENG already: Engineering.").waitFor();
	await field("Code").fill("LEG");
	await press("Enter");
	await told("The department LEG was added.");
	await dialog("Add department").waitFor({ state: "detached" });
	await visitor.page.getByRole("link", { name: "Legal", exact: true }).waitFor();
	expect(await stored(3)).toMatchObject({ code: "LEG", name: "Legal", cost_center: "", active: true });
});

test("a department is changed by keys, and only what was changed is sent", async () => {
	await see("departments");
	await change("Engineering");
	await press("Tab", "Tab");
	await field("Cost centre").fill("CC-2");
	const sent = visitor.page.waitForRequest((request) => request.method() === "PATCH");
	await press("Enter");
	expect((await sent).postDataJSON()).toEqual({ cost_center: "CC-2", was: { cost_center: "CC-1" } });
	await told("The department ENG was saved.");
	// The dialog gives the focus back when it has closed.
	await visitor.page.waitForFunction(() => document.activeElement?.textContent === "Engineering");
	expect(await stored(1)).toMatchObject({ name: "Engineering", cost_center: "CC-2" });
});

test("a Hebrew name is stored as it was, without the marks of its display", async () => {
	await visitor.see("reference?view=departments&edit=2");
	await field("Name").waitFor();
	expect(await field("Name").inputValue()).toBe("תפעול");
	await press("End");
	await field("Name").fill("תפעול וכספים");
	await press("Enter");
	await told("The department OPS was saved.");
	expect((await stored(2)).name).toBe("תפעול וכספים");
});

test("an account is added and changed; its direction follows its type, and against it is said to be a contra account", async () => {
	await see("accounts");
	await visitor.page.getByRole("button", { name: "Add account" }).click();
	await field("Code").fill("4900");
	await field("Type").selectOption("revenue");
	expect(await field("A higher actual is").inputValue()).toBe("true");
	await field("A higher actual is").selectOption("false");
	await visitor.page.getByText("A contra account: it is deducted from revenue.").waitFor();
	await dialog("Add account").getByRole("button", { name: "Add account", exact: true }).click();
	await told("The account 4900 was added.");
	await visitor.see("reference?view=accounts&edit=1");
	await field("Description").fill("Rent and heating");
	await visitor.page.getByRole("button", { name: "Save" }).click();
	await told("The account 6000 was saved.");
	const accounts = await program.get<{ code: string }[]>("/api/v1/gl-accounts");
	expect(accounts.slice(0, 2)).toMatchObject([
		{ code: "6000", description: "Rent and heating", type: "opex", favour_high: false },
		{ code: "4900", description: "", type: "revenue", favour_high: false },
	]);
});

describe.each(["Keep mine", "Take theirs"])("what somebody else changed meanwhile is shown beside it: %s", (choice) => {
	test("stores what was chosen", async () => {
		refused = 1;
		const before = await stored(1);
		await visitor.see("reference?view=departments&edit=1");
		await field("Name").fill(`Mine, ${choice}`);
		await program.patch("/api/v1/departments/1", { name: `Theirs, ${choice}` });
		await field("Cost centre").fill("CC-9");
		await press("Enter");
		const conflict = visitor.page.getByRole("alert");
		await conflict.waitFor();
		expect((await conflict.innerText()).replace(/\s+/g, " ")).toMatch(
			/^Changed by two. local saved other values at \d{4}-\d\d-\d\d \d\d:\d\d/,
		);
		expect(await conflict.locator("tbody tr").allInnerTexts()).toEqual([
			"Name",
			`Mine\tMine, ${choice}`,
			`Theirs\tTheirs, ${choice}`,
		]);
		expect(await visitor.barriers()).toEqual([]);
		expect((await stored(1)).name).toBe(`Theirs, ${choice}`);
		await visitor.page.getByRole("button", { name: choice }).click();
		if (choice === "Take theirs") {
			expect(await field("Name").inputValue()).toBe(`Theirs, ${choice}`);
			await visitor.page.getByRole("button", { name: "Save" }).click();
		}
		await told("The department ENG was saved.");
		const name = choice === "Keep mine" ? `Mine, ${choice}` : `Theirs, ${choice}`;
		expect(await stored(1)).toMatchObject({ name, cost_center: "CC-9" });
		await program.patch("/api/v1/departments/1", { name: before.name, cost_center: before.cost_center });
	});
});

test("what was typed stays after a reload, until it is discarded, and then comes back by Undo", async () => {
	const { page } = visitor;
	await visitor.see("reference?view=departments&edit=1");
	await field("Name").fill("Half a na");
	await page.reload();
	await page.getByText("This is what you typed before. It is not saved yet.").waitFor();
	expect(await field("Name").inputValue()).toBe("Half a na");
	await press("Escape");
	await dialog("Change department").waitFor({ state: "detached" });
	await change("Engineering");
	expect(await field("Name").inputValue()).toBe("Half a na");
	await page.getByRole("button", { name: "Cancel" }).click();
	await page.getByRole("button", { name: "Undo" }).click();
	await dialog("Change department").waitFor();
	expect(await field("Name").inputValue()).toBe("Half a na");
	await page.getByRole("button", { name: "Cancel" }).click();
	await dialog("Change department").waitFor({ state: "detached" });
	await change("Engineering");
	expect(await field("Name").inputValue()).toBe("Engineering");
});

test("an answer that was lost is asked for again with the same key, and the department is there once", async () => {
	refused = 10;
	const { page } = visitor;
	const keys: (string | undefined)[] = [];
	const { held, release } = hold();
	await page.route("**/api/v1/department/create", async (route) => {
		keys.push(route.request().headers()["idempotency-key"]);
		await route.fetch();
		if (keys.length === 1) return route.abort("connectionreset");
		release();
		return route.continue();
	});
	await visitor.see("reference?view=departments&edit=new");
	await field("Code").fill("LOST");
	await field("Name").fill("Lost and found");
	await press("Enter");
	await page.getByText("The server does not answer.").first().waitFor();
	await page.reload();
	await page.getByRole("dialog").getByRole("button", { name: "Add department", exact: true }).click();
	await held;
	await told("The department LOST was added.");
	expect(keys).toHaveLength(2);
	expect(keys[1]).toBe(keys[0]);
	const all = await program.get<Department[]>("/api/v1/department/list");
	expect(all.filter(({ code }) => code === "LOST")).toHaveLength(1);
});

test("a server that stops and starts, and a session that ends, lose nothing that was typed", async () => {
	const guarded = new Program();
	const [mine, other] = [guarded.token("write", "mine"), guarded.token("write", "other")];
	await guarded.start("--require-token");
	const headers = { Authorization: `Bearer ${other}` };
	await guarded.post("/api/v1/department/create", { code: "ENG", name: "Engineering" }, headers);
	const guest = await Visitor.of(browser, guarded.origin);
	const { page } = guest;
	const signIn = async () => {
		await page.getByLabel("Token").fill(mine);
		await page.keyboard.press("Enter");
		await page.getByRole("dialog").waitFor();
	};
	await page.goto(`${guarded.origin}/#/reference?view=departments&edit=1`);
	await signIn();
	await page.getByRole("dialog").getByLabel("Name").fill("Product");
	await guarded.stop();
	await page.keyboard.press("Enter");
	await page.getByRole("dialog").getByText("The server does not answer.").waitFor();
	expect(await guest.barriers()).toEqual([]);
	// The page reads by itself. Then it may find that the session ended before Save is pressed.
	const reads = "**/api/v1/**";
	await page.route(reads, (route) => (route.request().method() === "GET" ? route.abort() : route.continue()));
	await guarded.start("--require-token");
	await page.context().clearCookies();
	const refused = page.waitForResponse((response) => response.status() === 401);
	await page.getByRole("button", { name: "Save" }).click();
	expect((await refused).request().method()).toBe("PATCH");
	await page.unroute(reads);
	await signIn();
	expect(await page.getByRole("dialog").getByLabel("Name").inputValue()).toBe("Product");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("The department ENG was saved.", { exact: true }).waitFor();
	await guest.end();
	await guarded.end();
});

test.each<[number, number, Theme]>([
	[1440, 24, "light"],
	[390, 44, "dark"],
])(
	"the open form keeps nobody out at %s px, and each target is %s px high, in a %s theme",
	async (width, least, theme) => {
		const guest = await Visitor.of(browser, program.origin, theme);
		await guest.page.setViewportSize({ width, height: 900 });
		await guest.see("reference?view=accounts&edit=1");
		await guest.page.getByRole("dialog").getByLabel("Code").waitFor();
		expect(await guest.barriers()).toEqual([]);
		const small = await guest.page
			.getByRole("dialog")
			.locator("button, input, select, textarea")
			.evaluateAll((all, least) => all.filter((one) => one.getBoundingClientRect().height < least).length, least);
		expect(small).toBe(0);
		await guest.end();
	},
);

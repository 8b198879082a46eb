import { expect, test } from "vitest";
import { Program } from "./program.ts";
import { stage } from "./stage.ts";

const on = stage();
const phone = { width: 360, height: 800 };

test("every variance of a year stands under its period, however long the reader's language labels amounts", async () => {
	const year = await new Program().start();
	await year.post("/api/v1/gl-accounts", { code: "6000", description: "Rent", type: "opex" });
	const departments = ["1000000", "100000000000"];
	for (const [i, amount] of departments.entries()) {
		await year.post("/api/v1/department/create", { code: `D${i}`, name: `Department ${i}` });
		for (let fiscal_period = 1; fiscal_period <= 12; fiscal_period++) {
			const place = { department_id: i + 1, gl_account_id: 1, fiscal_year: 2026, fiscal_period, currency: "EUR" };
			await year.post("/api/v1/budget/create", { ...place, amount });
			await year.post("/api/v1/actuals/ingest", { ...place, amount: Number(amount) * 1.02, source: "erp" });
		}
	}
	for (const locale of ["en-GB", "de-DE", "lt-LT", "es-ES", "ru-RU"]) {
		const context = await on.browser.newContext({ locale, viewport: phone });
		const page = await context.newPage();
		for (const [i] of departments.entries()) {
			const said = `${locale} D${i}`;
			await page.goto(`${year.origin}/#/overview?year=2026&period=12&dept=D${i}`);
			const drawing = page.locator(".year .drawing svg");
			await drawing.locator("a").nth(11).waitFor();
			const { names, bars, labels } = await drawing.evaluate((svg) => {
				const { left: start, top } = svg.getBoundingClientRect();
				const middle = ({ left, right }: DOMRect) => (left + right) / 2 - start;
				const texts = [...svg.querySelectorAll("text")].map((text) => ({
					text: text.textContent ?? "",
					box: text.getBoundingClientRect(),
				}));
				const drawn = [...svg.querySelectorAll("rect:is(.good, .bad)")].map((bar) => bar.getBoundingClientRect());
				return {
					names: texts
						.filter(({ text }) => /^P\d\d$/.test(text))
						.map(({ text, box }) => [Number(text.slice(1)), middle(box)]),
					bars: drawn.map(middle),
					labels: texts.filter(({ box }) => box.bottom < top + 225).map(({ box }) => box.left - start),
				};
			});
			const [first, last] = [names[0], names.at(-1)];
			expect([first?.[0], (last?.[0] ?? 0) > 8], said).toEqual([1, true]);
			const column = ((last?.[1] ?? 0) - (first?.[1] ?? 0)) / ((last?.[0] ?? 0) - 1);
			const under = [...new Set(bars.map((bar) => (bar - (first?.[1] ?? 0)) / column + 1))];
			expect(
				[...new Set(under.map(Math.round))].sort((a, b) => a - b),
				said,
			).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
			expect(Math.max(...under.map((at) => Math.abs(at - Math.round(at)))), said).toBeLessThan(0.1);
			expect(labels.length, said).toBeGreaterThan(3);
			expect(Math.min(...labels), said).toBeGreaterThanOrEqual(0);
		}
		await context.close();
	}
	await year.end();
});

test("figures of a heat map are read whole on a phone, and where it was scrolled", async () => {
	const { page } = on.visitor;
	await page.setViewportSize(phone);
	await on.visitor.see("variance?year=2026&period=5&view=heatmap");
	const frame = page.locator("main .frame").first();
	/** How many columns show whole figures, and how many figures are covered by the names beside them. */
	const look = () =>
		frame.evaluate((frame) => {
			const start = frame.querySelector("tbody th")?.getBoundingClientRect().right ?? 0;
			const end = frame.getBoundingClientRect().right;
			const all = [...frame.querySelectorAll("a[data-raw]")].map((figure) => {
				const text = document.createRange();
				text.selectNodeContents(figure);
				return text.getBoundingClientRect();
			});
			return {
				columns: new Set(all.filter(({ left, right }) => left >= start && right <= end).map(({ right }) => right)).size,
				cut: all.filter(({ left, right }) => left < start && right > start).length,
			};
		});
	for (const by of [0, 30, 75, 120]) {
		await frame.evaluate((frame, by) => frame.scrollTo(by, 0), by);
		await page.waitForTimeout(100);
		const { columns, cut } = await look();
		expect([columns >= 2, cut], `${by}`).toEqual([true, 0]);
	}
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width);
});

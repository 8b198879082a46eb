import { expect, test } from "vitest";
import { random } from "../../random";
import { parse } from "./json";

test("a decimal stays text, and an integer that a float holds becomes a number", () => {
	expect(
		parse('{"amount":99999999999999.9999,"id":7,"big":9223372036854775807,"least":-9223372036854775808,"price":0.10}'),
	).toEqual({
		amount: "99999999999999.9999",
		id: 7,
		big: "9223372036854775807",
		least: "-9223372036854775808",
		price: "0.10",
	});
});

test("the largest integers that a float holds become numbers, larger ones do not", () => {
	expect(parse("[9007199254740991,9007199254740992,-9007199254740991,-9007199254740992]")).toEqual([
		9007199254740991,
		"9007199254740992",
		-9007199254740991,
		"-9007199254740992",
	]);
});

test("no digit of an amount is lost", () => {
	const draw = random(6);
	const texts = Array.from({ length: 2000 }, () => draw.decimal(14, 4));
	expect((parse(`[${texts.join(",")}]`) as unknown[]).map(String)).toEqual(texts);
});

test("texts, null, booleans and nested values stay the same", () => {
	expect(parse('{"a":[null,true,false,"1.10",{"b":"<script>"}],"c":{}}')).toEqual({
		a: [null, true, false, "1.10", { b: "<script>" }],
		c: {},
	});
});

test("a text that would reorder what is beside it stays as it is stored, so that a form stores it again", () => {
	const record = { name: "\u2069\u202eecnaniF", notes: "סיכום", items: [{ company: "\u2067", error: "no \u202e" }] };
	expect(parse(JSON.stringify(record))).toEqual(record);
	expect(parse('{"name":"\\u202edepartment"}')).toEqual({ name: "\u202edepartment" });
});

test("codes and symbols stay the same", () => {
	expect(parse('{"code":"מזומן","symbol":"سهم","source":"מערכת","currency":"₪"}')).toEqual({
		code: "מזומן",
		symbol: "سهم",
		source: "מערכת",
		currency: "₪",
	});
});

test.each(["", "{", '{"a":1,}', "[1] 2", "nul", "01"])("%j is refused", (text) => {
	expect(() => parse(text)).toThrow(SyntaxError);
});

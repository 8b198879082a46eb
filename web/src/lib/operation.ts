import type { OpenApi } from "./endpoints";

/** What a request or an answer has by a name. */
export interface Field {
	name: string;
	/** Where it stands: in the path, the query, a header, or the body. */
	place: string;
	type: string;
	required: boolean;
	description: string;
}

export interface Example {
	title: string;
	/** JSON, with a line for each field. */
	text: string;
}

/** An Operation is what the document says of a method on a path, with all that it refers to. */
export interface Operation {
	description: string;
	fields: Field[];
	requests: Example[];
	answer: Field[];
	answers: Example[];
	/** Every status that it answers with. */
	statuses: { status: string; description: string }[];
}

interface Schema {
	$ref?: string;
	type?: string | string[];
	description?: string;
	enum?: unknown[];
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	oneOf?: Schema[];
}

interface Media {
	schema?: Schema;
	example?: unknown;
	examples?: Record<string, { summary?: string; value: unknown }>;
}

interface Message {
	$ref?: string;
	description?: string;
	content?: Record<string, Media>;
}

interface Parameter {
	$ref?: string;
	name: string;
	in: string;
	required?: boolean;
	description?: string;
	schema?: Schema;
}

interface Said {
	description?: string;
	parameters?: Parameter[];
	requestBody?: Message;
	responses?: Record<string, Message>;
}

/** So deep are the fields of fields listed: a page of records has its records' fields. */
const deepest = 2;

/** operationOf reads an operation of the document; undefined where there is none. */
export function operationOf(document: OpenApi, method: string, path: string): Operation | undefined {
	const said = document.paths[path]?.[method.toLowerCase()] as Said | undefined;
	if (!said) return undefined;
	const read = new Reader(document);
	const responses = Object.entries(said.responses ?? {}).map(
		([status, response]) => [status, read.resolved(response)] as const,
	);
	const success = responses.find(([status]) => status.startsWith("2"))?.[1];
	const body = said.requestBody && read.resolved(said.requestBody);
	return {
		description: said.description ?? "",
		fields: [...(said.parameters ?? []).map((p) => read.parameter(p)), ...read.fields(schemaOf(body), "body")],
		requests: examplesOf(body),
		answer: read.fields(schemaOf(success), "body"),
		answers: examplesOf(success),
		statuses: responses.map(([status, { description = "" }]) => ({ status, description })),
	};
}

/** Reader follows what a document refers to. */
class Reader {
	constructor(readonly document: object) {}

	resolved<T extends { $ref?: string }>(part: T): T {
		let found: T = part;
		while (found.$ref) {
			const { $ref, ...own } = found;
			const keys = $ref.replace("#/", "").split("/");
			const meant = keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], this.document);
			found = { ...(meant as T), ...own };
		}
		return found;
	}

	parameter(said: Parameter): Field {
		const { name, in: place, required = false, description = "", schema } = this.resolved(said);
		return { name, place, required, description, type: this.type(schema) };
	}

	/** fields are the fields of an object, or of each object of a list, by their names. */
	fields(said: Schema | undefined, place: string, before = "", depth = 1): Field[] {
		const { properties = {}, required = [] } = this.object(said) ?? {};
		return Object.entries(properties).flatMap(([name, property]) => {
			const list = this.isList(property);
			const field = {
				name: before + name,
				place,
				type: this.type(property),
				required: required.includes(name),
				description: this.description(property),
			};
			return [
				field,
				...(depth < deepest ? this.fields(property, place, `${before}${name}${list ? "[]" : ""}.`, depth + 1) : []),
			];
		});
	}

	/** object is the first object that a schema allows. */
	object(said: Schema | undefined): Schema | undefined {
		if (!said) return undefined;
		const schema = this.resolved(said);
		if (schema.properties) return schema;
		if (schema.items) return this.object(schema.items);
		for (const one of schema.oneOf ?? []) {
			const object = this.object(one);
			if (object) return object;
		}
		return undefined;
	}

	isList(said: Schema): boolean {
		return this.resolved(said).items !== undefined;
	}

	/** type is what values are, in words. */
	type(said: Schema | undefined): string {
		if (!said) return "";
		const schema = this.resolved(said);
		if (schema.enum) return schema.enum.map(String).join(", ");
		if (schema.items) return `array of ${this.type(schema.items) || "values"}`;
		const types = [schema.type ?? []].flat();
		const others = (schema.oneOf ?? []).map((other) => this.type(other));
		return [...types, ...others].filter(Boolean).join(" or ");
	}

	description(said: Schema): string {
		const schema = this.resolved(said);
		if (schema.description) return schema.description;
		const [first] = schema.oneOf ?? [];
		return first ? this.description(first) : "";
	}
}

function mediaOf(message: Message | undefined): Media | undefined {
	return message?.content?.["application/json"];
}

function schemaOf(message: Message | undefined): Schema | undefined {
	return mediaOf(message)?.schema;
}

function examplesOf(message: Message | undefined): Example[] {
	const media = mediaOf(message);
	const text = (value: unknown) => JSON.stringify(value, null, 2);
	if (media?.example !== undefined) return [{ title: "Example", text: text(media.example) }];
	return Object.entries(media?.examples ?? {}).map(([name, { summary, value }]) => ({
		title: summary ?? name,
		text: text(value),
	}));
}

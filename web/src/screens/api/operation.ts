import { stringify } from "lossless-json";
import type { OpenApi } from "./endpoints";

/** A named part of a request or a response. */
export interface Field {
	name: string;
	/** The type in words, with limits and default. */
	type: string;
	required: boolean;
	/** Markdown, as every description. */
	description: string;
}

/** A field of a request outside of its body. */
export interface Parameter extends Field {
	place: "path" | "query" | "header" | "cookie";
	/** All allowed values; empty if they are not a list. */
	choices: string[];
	example: string;
}

export interface Example {
	title: string;
	value: unknown;
}

/** A response to an operation, by status. */
export interface Response {
	status: string;
	description: string;
	fields: Field[];
	examples: Example[];
}

/** A method on a path, with everything that the document says about it. */
export interface Operation {
	description: string;
	parameters: Parameter[];
	/** The fields of the body. */
	fields: Field[];
	/** Examples of the body. */
	examples: Example[];
	/** Whether the body is required. */
	bodied: boolean;
	responses: Response[];
	/** Whether it changes nothing and its response ends. */
	reads: boolean;
}

interface Schema {
	$ref?: string;
	type?: string | string[];
	description?: string;
	enum?: unknown[];
	minimum?: unknown;
	maximum?: unknown;
	maxLength?: unknown;
	default?: unknown;
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
	/** Only of a request. */
	required?: boolean;
	content?: Record<string, Media>;
}

interface DocumentOperation {
	description?: string;
	parameters?: DocumentParameter[];
	requestBody?: Message;
	responses?: Record<string, Message>;
	/** The scopes that suffice, by security scheme. */
	security?: Record<string, string[]>[];
}

interface DocumentParameter {
	$ref?: string;
	name: string;
	in: Parameter["place"];
	required?: boolean;
	description?: string;
	schema?: Schema;
	example?: unknown;
}

/** Nested fields are listed to this depth: a page of records has the fields of its records. */
const deepest = 2;

/** operationOf reads an operation of the document; undefined if it has none. */
export function operationOf(document: OpenApi, method: string, path: string): Operation | undefined {
	const said = document.paths[path]?.[method.toLowerCase()] as DocumentOperation | undefined;
	if (!said) return undefined;
	const read = new Reader(document);
	const body = said.requestBody && read.resolved(said.requestBody);
	const responses = Object.entries(said.responses ?? {}).map(([status, response]) => ({
		status,
		...read.resolved(response),
	}));
	const endless = responses.some(({ content }) => content?.["text/event-stream"]);
	const scopes = (said.security ?? []).flatMap((proofs) => Object.values(proofs).flat());
	return {
		description: said.description ?? "",
		parameters: (said.parameters ?? []).map((parameter) => read.parameter(parameter)),
		fields: read.fields(mediaOf(body)?.schema),
		examples: examplesOf(body),
		bodied: body?.required ?? false,
		responses: responses.map(({ status, description = "", ...response }) => ({
			status,
			description,
			fields: read.fields(mediaOf(response)?.schema),
			examples: examplesOf(response),
		})),
		reads: !endless && (method === "GET" || scopes.includes("read")),
	};
}

/** Reader resolves the references of a document. */
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

	parameter(said: DocumentParameter): Parameter {
		const { name, in: place, required = false, description = "", schema = {}, example } = this.resolved(said);
		const choices = this.parts(schema).flatMap((part) => part.enum ?? (part.type === "boolean" ? [true, false] : []));
		return {
			name,
			place,
			required,
			description,
			type: this.type(schema),
			choices: choices.map(String),
			example: example === undefined ? "" : String(example),
		};
	}

	/** fields lists the fields of an object, or of the objects of a list. */
	fields(said: Schema | undefined, before = "", depth = 1): Field[] {
		const { properties = {}, required = [] } = this.object(said) ?? {};
		return Object.entries(properties).flatMap(([name, property]) => {
			const inner = `${before}${name}${this.resolved(property).items ? "[]" : ""}.`;
			const field = {
				name: before + name,
				type: this.type(property),
				required: required.includes(name),
				description: this.parts(property).find((part) => part.description)?.description ?? "",
			};
			return [field, ...(depth < deepest ? this.fields(property, inner, depth + 1) : [])];
		});
	}

	/** object returns the object that a schema describes: itself, its items, or the first object among its alternatives. */
	object(said: Schema | undefined): Schema | undefined {
		if (!said) return undefined;
		const schema = this.resolved(said);
		if (schema.properties) return schema;
		if (schema.items) return this.object(schema.items);
		for (const alternative of schema.oneOf ?? []) {
			const object = this.object(alternative);
			if (object) return object;
		}
		return undefined;
	}

	/** parts returns a schema and its alternatives. */
	parts(said: Schema): Schema[] {
		const schema = this.resolved(said);
		return [schema, ...(schema.oneOf ?? []).flatMap((part) => this.parts(part))];
	}

	/** type describes the values of a schema. */
	type(said: Schema): string {
		const parts = this.parts(said);
		const kinds = parts.flatMap((part) => {
			if (part.enum) return part.enum.map(String).join(", ");
			if (part.items) return `array of ${this.type(part.items) || "values"}`;
			return part.type ?? [];
		});
		const limits = parts.flatMap(limitsOf);
		return [[...new Set(kinds)].join(" or "), ...new Set(limits)].filter(Boolean).join("; ");
	}
}

function limitsOf({ minimum, maximum, maxLength, default: usual }: Schema): string[] {
	const limits = [];
	if (minimum !== undefined && maximum !== undefined) limits.push(`${minimum} to ${maximum}`);
	else if (minimum !== undefined) limits.push(`${minimum} or more`);
	else if (maximum !== undefined) limits.push(`${maximum} or less`);
	if (maxLength !== undefined) limits.push(`at most ${maxLength} characters`);
	if (usual !== undefined) limits.push(`default ${usual === "" ? "empty" : stringify(usual)}`);
	return limits;
}

function mediaOf(message: Message | undefined): Media | undefined {
	return message?.content?.["application/json"];
}

function examplesOf(message: Message | undefined): Example[] {
	const { example, examples = {} } = mediaOf(message) ?? {};
	if (example !== undefined) return [{ title: "", value: example }];
	return Object.entries(examples).map(([name, { summary = name, value }]) => ({ title: summary, value }));
}

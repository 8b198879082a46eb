// Writes src/api/schema.ts, the types of the API, from its OpenAPI document.
import { writeFile } from "node:fs/promises";
import openapi, { astToString } from "openapi-typescript";
import ts from "typescript";

const document = new URL("../internal/api/openapi.yaml", import.meta.url);
const exact = ts.factory.createTypeReferenceNode("Exact");
const types = await openapi(document, {
	enumValues: true,
	inject: 'import type { Exact } from "../format/decimal";',
	// A decimal must not become a float, which would round it.
	transform: (schema) => (schema.type === "number" ? exact : undefined),
});
await writeFile(new URL("src/api/schema.ts", import.meta.url), astToString(types));

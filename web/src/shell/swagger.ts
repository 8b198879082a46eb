import { parse, stringify } from "lossless-json";
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./swagger.css";

type Create = (kind: unknown, properties?: object | null, ...children: unknown[]) => unknown;

interface System {
	React: { createElement: Create };
}

interface Shown {
	getComponent: (name: string, connected?: boolean) => unknown;
}

interface Answer extends Shown {
	content: unknown;
	contentType?: string;
}

/** indented is an answer's JSON with every number as it was sent; undefined where the answer is none. */
function indented({ content, contentType = "" }: Answer): string | undefined {
	if (typeof content !== "string" || !/json/i.test(contentType)) return undefined;
	try {
		return stringify(parse(content), null, 2);
	} catch {
		return undefined;
	}
}

/**
 * plain is the operations alone, since the screen has its own heading and landmark, with a name for every list, and
 * answers whose numbers are not rounded to floats.
 */
const plain = ({ React: { createElement } }: System) => ({
	components: {
		Plain: ({ getComponent }: Shown) =>
			createElement("div", { className: "swagger-ui" }, createElement(getComponent("operations", true))),
	},
	wrapComponents: {
		responseBody: (Body: unknown) => (answer: Answer) => {
			const text = indented(answer);
			if (text === undefined) return createElement(Body, answer);
			const properties = { downloadable: true, fileName: "answer.json", canCopy: true };
			return createElement(answer.getComponent("HighlightCode", true), properties, text);
		},
		Select: (Select: unknown) => (properties: object) =>
			createElement(
				"label",
				null,
				createElement("span", { className: "visually-hidden" }, "Value"),
				createElement(Select, properties),
			),
	},
});

/** draw shows the document in the element. Only reading can be tried out: an example is no record. */
export function draw(place: HTMLElement, spec: object): void {
	SwaggerUI({
		domNode: place,
		spec: { ...spec, servers: [{ url: location.origin }] },
		plugins: [plain],
		layout: "Plain",
		deepLinking: false,
		docExpansion: "none",
		supportedSubmitMethods: ["get"],
		syntaxHighlight: false,
		validatorUrl: null,
	});
}

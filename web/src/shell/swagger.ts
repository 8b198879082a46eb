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

/** plain is the operations alone, since the screen has its own heading and landmark, with a name for every list. */
const plain = ({ React: { createElement } }: System) => ({
	components: {
		Plain: ({ getComponent }: Shown) =>
			createElement("div", { className: "swagger-ui" }, createElement(getComponent("operations", true))),
	},
	wrapComponents: {
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

import { BarChart, LineChart, TreemapChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendComponent, MarkLineComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([
	AriaComponent,
	BarChart,
	GridComponent,
	LegendComponent,
	LineChart,
	MarkLineComponent,
	SVGRenderer,
	TooltipComponent,
	TreemapChart,
]);

/** draw starts a chart in an element. */
export function draw(element: HTMLElement) {
	return init(element, null, { renderer: "svg" });
}

import Activity from "@lucide/svelte/icons/activity";
import ArrowLeftRight from "@lucide/svelte/icons/arrow-left-right";
import Bell from "@lucide/svelte/icons/bell";
import BookOpen from "@lucide/svelte/icons/book-open";
import Braces from "@lucide/svelte/icons/braces";
import CircleCheck from "@lucide/svelte/icons/circle-check";
import CircleQuestionMark from "@lucide/svelte/icons/circle-question-mark";
import FileUp from "@lucide/svelte/icons/file-up";
import Layers from "@lucide/svelte/icons/layers";
import LayoutDashboard from "@lucide/svelte/icons/layout-dashboard";
import ReceiptText from "@lucide/svelte/icons/receipt-text";
import Scale from "@lucide/svelte/icons/scale";
import type { Screen } from "../screens/screens";

/** The icon of each screen in the navigation. */
export const icons: Record<Screen["id"], typeof Bell> = {
	overview: LayoutDashboard,
	variance: Scale,
	alerts: Bell,
	actuals: ReceiptText,
	import: FileUp,
	trades: ArrowLeftRight,
	positions: Layers,
	reference: BookOpen,
	quality: CircleCheck,
	status: Activity,
	api: Braces,
	help: CircleQuestionMark,
	"first-run": LayoutDashboard,
};

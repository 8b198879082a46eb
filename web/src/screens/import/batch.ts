import type { Detail } from "../../api/error";
import type { components } from "../../api/schema";
import { whole } from "../../format/format";
import { kindOf } from "./kinds";

/** What one import, one write of many rows, one copy or one undo stored together. */
export type Batch = components["schemas"]["Batch"];

/** An act that takes a batch back, or brings it back: the undo of the batch of its id. */
export interface Act {
	id: number;
	title: string;
	/** What is said when it is done. */
	said: string;
}

/** actsOf returns what a reader can do to a batch. The undo of an undo does it again. */
export function actsOf({ id, state, via, undone_by: by }: Batch): Act[] {
	if (via === "undo") return [];
	const undo = { id, title: "Undo", said: `Batch ${id} was undone.` };
	const redo = by === null ? [] : [{ id: by, title: "Redo", said: `Batch ${id} was done again.` }];
	if (state === "committed") return [undo];
	return state === "partial" ? [undo, ...redo] : redo;
}

/** hasRest reports whether an undo leaves out the records that are in the way, and takes back others. Of a batch that was undone in part, that is not known. */
export function hasRest({ state, counts }: Batch, inTheWay: number): boolean {
	const stored = (counts.new ?? 0) + (counts.changed ?? 0) + (counts.cleared ?? 0);
	return state === "partial" || inTheWay < stored;
}

/** wayOf says what is in the way of an undo: "The account 4000 was changed later, in entry 31 by anna". */
export function wayOf({ message, record = "", entity_id: id }: Detail): string {
	const said = `${record} ${message.replace(`${id} (${record}) `, "")}`.trim();
	return said.charAt(0).toUpperCase() + said.slice(1);
}

/** countsOf says what a batch did: "240 new, 12 changed, 3 left out". */
export function countsOf({ counts, via }: Batch): string {
	const words = via === "undo" ? { new: "put back", cleared: "removed", skipped: "left as they are" } : {};
	const left = (counts.wrong ?? 0) + (counts.doubtful ?? 0);
	const parts = (["new", "changed", "cleared", "unchanged", "already", "skipped", "left"] as const).flatMap(
		(result) => {
			const count = result === "left" ? left : (counts[result] ?? 0);
			if (count === 0) return [];
			const word =
				(words as Record<string, string>)[result] ??
				{ already: "here already", left: "left out" }[result as string] ??
				result;
			return [`${whole(count)} ${word}`];
		},
	);
	return parts.join(", ");
}

/** nameOf returns what a batch is called: its file, or how it came. */
export function nameOf({ via, file, undoes }: Batch): string {
	if (file) return file;
	if (via === "undo") return undoes ? `Undo of batch ${undoes}` : "Undo";
	return { import: "Import", bulk: "Many rows at once", copy: "Copy of a budget" }[via];
}

/** ofKind returns what a batch has records of. */
export function ofKind({ kind }: Batch): string {
	return kindOf(kind)?.title ?? kind.charAt(0).toUpperCase() + kind.slice(1);
}

export const states = { committed: "Stored", partial: "Partly undone", undone: "Undone" } as const;

import { ApiError } from "../../api/error";
import { randomText } from "../../api/writing.svelte";
import type { Batch } from "./batch";
import { batchOf, commit, drop, type Order, read, remap, upload } from "./calls";
import type { Conflict, ImportMap, Preview } from "./preview";

/** How long a preview that is still being read waits before it is asked for again, in milliseconds. */
const pause = 500;

/** A file stays at hand as long as the page is open, because a preview ends an hour after its last use. */
let atHand: { id: string; kind: string; file: File; maps: Partial<Record<string, ImportMap>> } | undefined;

/** begun is the import that a reader left before it was stored, if this page was not loaded again since. */
export function begun(): { id: string; kind: string; name: string } | undefined {
	return atHand && { id: atHand.id, kind: atHand.kind, name: atHand.file.name };
}

/** Wizard brings one file in: a preview of what it would do, a new revision with each answer, and the commit. */
export class Wizard {
	preview = $state.raw<Preview>();
	/** Why the last step failed. */
	error = $state.raw<unknown>();
	/** What others changed since the file was read. */
	conflicts = $state.raw<readonly Conflict[]>([]);
	/** Whether the server does not have the preview any more. */
	expired = $state(false);
	/** What is stored, as it is now. */
	batch = $state.raw<Batch>();
	#busy = $state(0);
	#id = "";
	#key = "";

	get busy(): boolean {
		return this.#busy > 0;
	}

	/** kept is the file of a preview that has ended, if this page was not loaded again since. */
	get kept(): typeof atHand {
		return atHand?.id === this.#id ? atHand : undefined;
	}

	/** open shows the preview of an address; "" shows none. */
	open(id: string): void {
		if (id === this.#id) return;
		this.#id = id;
		this.preview = undefined;
		this.batch = undefined;
		this.error = undefined;
		this.conflicts = [];
		this.expired = false;
		this.#key = "";
		if (id) void this.#doing(() => read(id));
	}

	/** send begins with a file, under the answers that it was given before as this kind. It returns the preview. */
	async send(kind: string, file: File): Promise<Preview | undefined> {
		const before = atHand;
		await this.#doing(async () => {
			const preview = await upload(kind, file);
			// A page has one file at hand: the server has room for twenty.
			if (before && !this.expired) void drop(before.id).catch(() => {});
			this.#id = preview.id;
			this.expired = false;
			const maps = before?.file === file ? before.maps : {};
			atHand = { id: preview.id, kind, file, maps };
			const map = maps[kind];
			return map ? remap(preview.id, map) : preview;
		});
		return this.error || this.expired ? undefined : this.preview;
	}

	/** answer makes a new revision under a changed map. */
	async answer(map: ImportMap): Promise<void> {
		this.conflicts = [];
		if (this.kept) this.kept.maps[this.kept.kind] = map;
		// The next answer adds to this one, also before the server has read the file again.
		const before = this.preview;
		if (before) this.preview = { ...before, map };
		await this.#doing(() => remap(this.#id, map));
		if (this.error && this.preview?.map === map) this.preview = before;
	}

	/** commit stores the rows that an order names. */
	async commit(order: Order): Promise<void> {
		const { preview } = this;
		if (!preview || this.busy) return;
		this.#key ||= randomText();
		this.conflicts = [];
		await this.#doing(async () => {
			try {
				const done = await commit(preview.id, this.#key, preview.revision, order);
				atHand = undefined;
				return { ...preview, state: "committed", done };
			} catch (reason) {
				if (reason instanceof ApiError && reason.status < 500) this.#key = "";
				if (!(reason instanceof ApiError) || reason.code !== "changed_since") throw reason;
				this.conflicts = (reason.body as { conflicts?: Conflict[] }).conflicts ?? [];
				return read(preview.id);
			}
		});
	}

	/** look reads what became of the batch that was stored. */
	async look(): Promise<void> {
		const id = this.preview?.done?.batch?.id;
		if (id === undefined) return;
		try {
			this.batch = await batchOf(id);
		} catch (reason) {
			this.error = reason;
		}
	}

	/** forget ends the preview before its hour is over. */
	forget(): void {
		if (this.#id && !this.expired) void drop(this.#id).catch(() => {});
		atHand = undefined;
	}

	async #doing(step: () => Promise<Preview>): Promise<void> {
		this.#busy++;
		this.error = undefined;
		try {
			await this.#follow(await step());
		} catch (reason) {
			if (reason instanceof ApiError && reason.status === 404 && this.#id) this.expired = true;
			else this.error = reason;
		} finally {
			this.#busy--;
		}
	}

	/** follow takes a preview, and asks for it again until the server has read the file. */
	async #follow(preview: Preview): Promise<void> {
		let now = preview;
		while (now.id === this.#id) {
			// An earlier answer may come after a later one.
			if (this.preview?.id === now.id && this.preview.revision > now.revision) return;
			this.preview = now;
			if (now.state !== "reading" && now.state !== "committing") return;
			await new Promise((resume) => setTimeout(resume, pause));
			now = await read(now.id);
		}
	}
}

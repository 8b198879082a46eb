/** Place is where a table stands: how wide it is, and whether columns are out of view. */
export class Place {
	width = $state(0);
	/** The width of the scroll bar beside the rows. */
	#bar = $state(0);
	/** Whether columns are out of view at the start and at the end. */
	slid = $state(false);
	beyond = $state(false);

	/** room is the width for columns; before it is known there is no limit. */
	get room(): number {
		return this.width === 0 ? Number.POSITIVE_INFINITY : this.width - this.#bar;
	}

	/** look takes over what is out of view in the frame. */
	look(frame: HTMLElement): void {
		this.#bar = frame.offsetWidth - frame.clientWidth;
		const at = Math.abs(frame.scrollLeft);
		this.slid = at > 1;
		this.beyond = at + frame.clientWidth < frame.scrollWidth - 1;
	}

	/** watch looks again whenever the frame or its table changes its size. */
	watch(frame: HTMLElement, table: HTMLElement): () => void {
		const watch = new ResizeObserver(() => this.look(frame));
		watch.observe(frame);
		watch.observe(table);
		return () => watch.disconnect();
	}
}

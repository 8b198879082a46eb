/** above keeps, as --above of an element, the height of the page above it, so that it can take the rest of a screen. */
export function above(box: HTMLElement): () => void {
	const measure = () => {
		let top = box.getBoundingClientRect().top;
		for (let over = box.parentElement; over; over = over.parentElement) top += over.scrollTop;
		box.style.setProperty("--above", `${Math.round(top)}px`);
	};
	measure();
	const watch = new ResizeObserver(measure);
	watch.observe(document.body);
	if (box.parentElement) watch.observe(box.parentElement);
	return () => watch.disconnect();
}

/**
 * above keeps the height of the page above an element in its property --above, so that it can fill the rest of the
 * screen.
 */
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

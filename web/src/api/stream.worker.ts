import { type Asked, type Tell, Wire } from "./stream";

// What runs once for all windows of a browser: they share the stream.
const wire = new Wire();

addEventListener("connect", (event) => {
	const [port] = (event as MessageEvent).ports;
	if (!port) return;
	const tell: Tell = (word) => port.postMessage(word);
	port.onmessage = ({ data }: MessageEvent<Asked>) => wire[data](tell);
});

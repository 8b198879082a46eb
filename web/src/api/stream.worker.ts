import { type Asked, type Tell, Wire } from "./stream";

// All windows of a browser share this worker and its stream.
const wire = new Wire();

addEventListener("connect", (event) => {
	const [port] = (event as MessageEvent).ports;
	if (!port) return;
	const tell: Tell = (word) => port.postMessage(word);
	port.onmessage = ({ data }: MessageEvent<Asked>) => wire[data](tell);
});

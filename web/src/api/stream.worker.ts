import { EventStream, type StreamCommand, type StreamListener } from "./stream";

// All windows of a browser share this worker and its stream.
const stream = new EventStream();

addEventListener("connect", (event) => {
	const [port] = (event as MessageEvent).ports;
	if (!port) return;
	const tell: StreamListener = (word) => port.postMessage(word);
	port.onmessage = ({ data }: MessageEvent<StreamCommand>) => stream[data](tell);
});

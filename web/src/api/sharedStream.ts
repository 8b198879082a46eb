import { EventStream, type StreamCommand, type StreamListener } from "./stream";

/**
 * sharedStream returns the stream that all windows of the browser share. A browser opens only six connections to a server
 * over HTTP/1.1, and a stream takes one. Without shared workers the window has a stream of its own.
 */
export function sharedStream(tell: StreamListener): (command: StreamCommand) => void {
	const own = new EventStream();
	const alone = (command: StreamCommand) => own[command](tell);
	try {
		const worker = new SharedWorker(new URL("./stream.worker.ts", import.meta.url), { type: "module" });
		let stream = (command: StreamCommand) => worker.port.postMessage(command);
		worker.port.onmessage = ({ data }) => tell(data);
		worker.onerror = () => {
			stream = alone;
			tell(undefined);
		};
		return (command) => stream(command);
	} catch {
		return alone;
	}
}

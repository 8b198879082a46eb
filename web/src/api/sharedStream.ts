import { type Asked, type Tell, Wire } from "./stream";

/**
 * shared returns the stream that all windows of the browser share. A browser opens only six connections to a server
 * over HTTP/1.1, and a stream takes one. Without shared workers the window has a stream of its own.
 */
export function shared(tell: Tell): (asked: Asked) => void {
	const own = new Wire();
	const alone = (asked: Asked) => own[asked](tell);
	try {
		const worker = new SharedWorker(new URL("./stream.worker.ts", import.meta.url), { type: "module" });
		let wire = (asked: Asked) => worker.port.postMessage(asked);
		worker.port.onmessage = ({ data }) => tell(data);
		worker.onerror = () => {
			wire = alone;
			tell(undefined);
		};
		return (asked) => wire(asked);
	} catch {
		return alone;
	}
}

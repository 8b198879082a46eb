import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const binary = join(import.meta.dirname, "../../bin/app");

/** The date of all demo data. */
export const asOf = "2026-06-30";

/** A Program serves a database of its own on a port of its own. */
export class Program {
	readonly #folder = mkdtempSync(join(tmpdir(), "daybook-browser-"));
	#process: ChildProcess | undefined;
	#port = 0;

	get origin(): string {
		return `http://127.0.0.1:${this.#port}`;
	}

	/** shared lets other users make files beside the database, of which the server warns. */
	shared(): this {
		chmodSync(this.#folder, 0o777);
		return this;
	}

	/** demo fills the database; flags of seed set the amount. */
	demo(...flags: string[]): this {
		execFileSync(binary, ["seed", "--db", this.#database, "--as-of", asOf, ...flags]);
		return this;
	}

	/** token creates a token, and returns its secret. */
	token(scope: "read" | "write" = "read", name = "reader"): string {
		const flags = ["--name", name, "--scope", scope, "--db", this.#database];
		return execFileSync(binary, ["token", "create", ...flags], { encoding: "utf8", stdio: "pipe" }).trim();
	}

	/** start starts the server, after a stop on the same port. */
	async start(...flags: string[]): Promise<this> {
		const program = spawn(binary, ["serve", "--db", this.#database, "--addr", `127.0.0.1:${this.#port}`, ...flags]);
		this.#process = program;
		let said = "";
		await new Promise<void>((resolve, reject) => {
			program.stderr.on("data", (text) => {
				said += text;
			});
			program.stdout.on("data", (text) => {
				said += text;
				const address = /on http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
				if (!address) return;
				this.#port = Number(address[1]);
				resolve();
			});
			program.on("exit", () => reject(new Error(`the program ended: ${said}`)));
		});
		return this;
	}

	/** stop ends the server as an operator does; the database stays. */
	async stop(): Promise<void> {
		const program = this.#process;
		if (!program || program.exitCode !== null || program.signalCode !== null) return;
		const ended = new Promise((resolve) => program.on("exit", resolve));
		program.kill("SIGTERM");
		await ended;
	}

	async end(): Promise<void> {
		await this.stop();
		rmSync(this.#folder, { recursive: true, force: true });
	}

	/** get returns the answer of the API, parsed by JavaScript. */
	async get<T>(path: string): Promise<T> {
		const answer = await fetch(this.origin + path);
		if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
		return (await answer.json()) as T;
	}

	post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<void> {
		return this.#send("POST", path, body, headers);
	}

	patch(path: string, body: unknown): Promise<void> {
		return this.#send("PATCH", path, body, {});
	}

	remove(path: string): Promise<void> {
		return this.#send("DELETE", path, undefined, {});
	}

	async #send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<void> {
		const answer = await fetch(this.origin + path, {
			method,
			headers: { "Content-Type": "application/json", ...headers },
			body: JSON.stringify(body),
		});
		if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
	}

	/** buy adds a trade: one share in euros by default. */
	buy(trade: { symbol: string; [field: string]: unknown }): Promise<void> {
		return this.post("/trade/add", { currency_code: "EUR", shares: 1, product: 0, price: 1, type: true, ...trade });
	}

	get #database(): string {
		return join(this.#folder, "app.db");
	}
}

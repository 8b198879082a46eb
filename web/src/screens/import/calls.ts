import { api } from "../../api/client";
import type { Page } from "../../api/pages.svelte";
import type { Batch } from "./batch";
import type { ImportMap, Preview, Row, Stored } from "./preview";

export async function upload(kind: string, file: File): Promise<Preview> {
	const query = { kind: kind as Preview["kind"], name: file.name };
	// The label decides nothing, and the content of a file is not JSON for the client.
	const body = new Blob([file], { type: "application/octet-stream" }) as unknown as string;
	return (await api.POST("/api/v1/imports", { params: { query }, body })).data;
}

export async function read(id: string): Promise<Preview> {
	return (await api.GET("/api/v1/imports/{id}", { params: { path: { id } } })).data;
}

export async function remap(id: string, map: ImportMap): Promise<Preview> {
	return (await api.PUT("/api/v1/imports/{id}/map", { params: { path: { id } }, body: map })).data;
}

export async function drop(id: string): Promise<void> {
	await api.DELETE("/api/v1/imports/{id}", { params: { path: { id } } });
}

type Rows = { items: Row[]; next: number | null };

export async function rowsOf(
	id: string,
	result: string,
	page: { after: number | undefined; limit: number },
): Promise<Rows> {
	const { after, limit } = page;
	const query = { result: result as "new", limit, ...(after !== undefined && { after }) };
	return (await api.GET("/api/v1/imports/{id}/rows", { params: { path: { id }, query } })).data as Rows;
}

/** What of a file is stored, and why. */
export interface Order {
	rows: "all" | "good";
	doubtful: "refuse" | "accept";
	/** The lines of trades that are taken though they are there already. */
	also: readonly number[];
	/** What the journal keeps, or "". */
	reason: string;
}

export async function commit(id: string, key: string, revision: number, order: Order): Promise<Stored> {
	const { reason, also, ...rules } = order;
	const header = { "Idempotency-Key": key, ...(reason && { "X-Reason": encodeURIComponent(reason) }) };
	const params = { path: { id }, header };
	const body = { revision, ...rules, also: [...also] };
	return (await api.POST("/api/v1/imports/{id}/commit", { params, body })).data;
}

export async function batchesOf(after: number | undefined, signal: AbortSignal): Promise<Page<Batch, number>> {
	const query = { limit: 50, ...(after !== undefined && { after }) };
	return (await api.GET("/api/v1/batches", { params: { query }, signal })).data;
}

export async function batchOf(id: number): Promise<Batch> {
	return (await api.GET("/api/v1/batches/{id}", { params: { path: { id } } })).data;
}

/** undo takes a batch back, and returns how many records had to stay as they are. */
export async function undo(id: number, key: string, rows: "all" | "possible"): Promise<number> {
	const params = { path: { id }, header: { "Idempotency-Key": key } };
	return (await api.POST("/api/v1/batches/{id}/undo", { params, body: { rows } })).data.stayed_total;
}

/** mapNames returns the names of the saved maps of a kind, the one that was stored last first. */
export async function mapNames(kind: string): Promise<string[]> {
	const { items } = (await api.GET("/api/v1/maps")).data;
	return items.filter((map) => map.kind === kind).map(({ name }) => name);
}

export async function mapOf(name: string): Promise<ImportMap> {
	return (await api.GET("/api/v1/maps/{name}", { params: { path: { name } } })).data.map;
}

export async function saveMap(name: string, map: ImportMap): Promise<void> {
	await api.PUT("/api/v1/maps/{name}", { params: { path: { name } }, body: { ...map, name } });
}

import { api } from "../../api/client";
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

export async function rowsOf(id: string, result: string, after: number | undefined): Promise<Rows> {
	const query = { result: result as "new", limit: 100, ...(after !== undefined && { after }) };
	return (await api.GET("/api/v1/imports/{id}/rows", { params: { path: { id }, query } })).data as Rows;
}

type Rules = { revision: number; rows: "all" | "good"; doubtful: "refuse" | "accept" };

export async function commit(id: string, key: string, body: Rules): Promise<Stored> {
	const params = { path: { id }, header: { "Idempotency-Key": key } };
	return (await api.POST("/api/v1/imports/{id}/commit", { params, body })).data;
}

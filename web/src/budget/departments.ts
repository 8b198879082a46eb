import { api } from "../api/client";
import { isolated } from "../format/bidi";

/** departmentNames returns the names of all departments, by code. */
export async function departmentNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
	const { data } = await api.GET("/api/v1/department/list", { signal });
	return new Map(data.map(({ code, name }) => [code, isolated(name)]));
}

import { z } from "zod";
import type { Client } from "../../kubernetes/client";
import { API_GROUP } from "../../sync/binding/spec";

const GROUPS = z.looseObject({ groups: z.array(z.looseObject({ name: z.string() })) });

/** Whether the API server knows ServerGroupBindings. It answers about groups that it does not know with a text that is no JSON, so that the list of groups is asked for. */
export async function knowsBindings(client: Client): Promise<boolean> {
    const found = await client.get("list the API groups", "/apis", GROUPS);
    return found?.groups.some(({ name }) => name === API_GROUP) === true;
}

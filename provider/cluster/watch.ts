/** Objects of a collection and their changes, as long as they are wanted. */
import { z } from "zod";
import { type Clock, parseJsonObject, waitBefore } from "../net";
import type { ObjectMeta } from "../service/objects";
import { describeMismatch } from "./answers";
import type { Client, Path } from "./client";
import { ClusterError, kindOfStatus } from "./error";

interface Named {
    readonly metadata: ObjectMeta;
}

export interface WatchOptions<Item extends Named> {
    readonly client: Pick<Client, "listVersion" | "watch">;
    readonly clock: Clock;
    /** Name of the collection in messages, such as `nodes`. */
    readonly name: string;
    readonly path: Path;
    readonly schema: z.ZodType<Item>;
    readonly put: (object: Item) => void;
    readonly remove: (object: Item) => void;
    /** Is called after each complete list. */
    readonly listed: () => void;
    readonly failed: (error: unknown) => void;
    readonly signal: AbortSignal;
    /** Milliseconds without an event after which a watch is opened again: its connection may be dead. Default 30000. */
    readonly silenceMs?: number;
}

const BACKOFF = { attempts: Infinity, baseMs: 500, capMs: 30_000 };

const SILENCE_MS = 30_000;

/** Seconds after which the server ends a watch. */
const TIMEOUT_SECONDS = 300;

const EVENT = z.object({
    type: z.enum(["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]),
    object: z.looseObject({
        metadata: z.looseObject({ resourceVersion: z.string().optional() }).optional(),
        code: z.number().optional(),
        message: z.string().optional(),
    }),
});

/**
 * Lists a collection and watches it until the signal is aborted. Objects stay known meanwhile, whatever the server
 * does: after a broken connection the watch is resumed, and after an answer that is not understood, which may have
 * been an event, the collection is listed again.
 */
export async function watchCollection<Item extends Named>(options: WatchOptions<Item>): Promise<void> {
    const { client, clock, name, path, schema, signal, silenceMs = SILENCE_MS } = options;
    const action = `watch ${name}`;
    const { known, put, remove } = knownObjects(options);
    let version: string | undefined;
    /** Consecutive rounds without an event. */
    let quiet = 0;

    const list = async (): Promise<string | undefined> => {
        const listed = await client.listVersion(`list ${name}`, path, schema);
        signal.throwIfAborted();
        const present = new Set(listed.items.map(keyOf));
        for (const key of known.keys()) if (!present.has(key)) remove(key);
        listed.items.forEach(put);
        options.listed();
        return listed.version;
    };
    const onLine = (line: string): void => {
        const { type, object } = read(action, EVENT, parseJsonObject(line));
        const { metadata, code = 500, message: detail = "the server ended the watch" } = object;
        if (type === "ERROR") throw new ClusterError({ kind: kindOfStatus(code), action, detail, httpStatus: code });
        if (type !== "BOOKMARK") {
            const item = read(action, schema, object);
            if (type === "DELETED") remove(keyOf(item));
            else put(item);
        }
        version = metadata?.resourceVersion ?? version;
        quiet = 0;
    };

    while (!signal.aborted) {
        const began = clock.now();
        let failed = false;
        quiet++;
        try {
            version ??= await list();
            const query = { resourceVersion: version, timeoutSeconds: TIMEOUT_SECONDS };
            await client.watch(action, path, query, { onLine, signal, silenceMs });
        } catch (error) {
            failed = true;
            if (!(error instanceof ClusterError && error.kind === "unreachable")) version = undefined;
            if (!signal.aborted && !isExpired(error)) options.failed(error);
        }
        if (clock.now() - began >= BACKOFF.capMs) quiet = 0;
        if (!failed && quiet === 0) continue;
        const wait = waitBefore(BACKOFF, Math.max(1, quiet), clock.random(), BACKOFF.baseMs / 2);
        await clock.sleep(wait, signal).catch(() => undefined);
    }
}

/** Objects of a collection, by key. */
function knownObjects<Item extends Named>(options: Pick<WatchOptions<Item>, "put" | "remove">) {
    const known = new Map<string, Item>();
    return {
        known: known as ReadonlyMap<string, Item>,
        put: (object: Item): void => {
            const { resourceVersion } = object.metadata;
            const key = keyOf(object);
            if (resourceVersion !== undefined && resourceVersion === known.get(key)?.metadata.resourceVersion) return;
            options.put(object);
            known.set(key, object);
        },
        remove: (key: string): void => {
            const object = known.get(key);
            if (object === undefined) return;
            options.remove(object);
            known.delete(key);
        },
    };
}

function read<T>(action: string, schema: z.ZodType<T>, value: unknown): T {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new ClusterError({ kind: "invalid", action, detail: describeMismatch(parsed.error) });
}

const keyOf = ({ metadata }: Named): string => `${metadata.namespace ?? ""}/${metadata.name}`;

/** True if the server has forgotten the version of a watch, as after a time without changes. */
const isExpired = (error: unknown): boolean => error instanceof ClusterError && error.httpStatus === 410;

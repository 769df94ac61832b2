/** The recorded cases: files of a corpus folder such as `testdata/alicloud-plugin`. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type JsonMap = { [name: string]: Json };

export interface RecordedCall {
    readonly product: string;
    readonly action: string;
    readonly form: string;
    readonly params: Readonly<Record<string, string>>;
    readonly status: number;
    readonly response?: Json;
    readonly waitedSeconds?: number;
    readonly method?: string;
    readonly inQuery?: Json;
    readonly scheme?: string;
}

export interface RecordedRpc {
    readonly rpc: string;
    readonly request: JsonMap;
    readonly response?: JsonMap;
    readonly error?: { readonly grpcCode: string; readonly message: string; readonly details?: JsonMap };
    /** Reason why the recording stopped while the plugin was still trying. */
    readonly cut?: string;
    readonly calls?: readonly RecordedCall[];
    readonly logs?: readonly { readonly severity: string; readonly message: string }[];
}

export interface Case {
    readonly id: string;
    readonly type: string;
    readonly title: string;
    readonly rpcs: readonly RecordedRpc[];
    readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Loads all cases of a corpus in order of their files. The variants of `configure.json` come last, as `configure/<id>`.
 */
export function loadCorpus(folder: string): Case[] {
    const cases: Case[] = [];
    for (const name of readdirSync(folder).sort()) {
        const path = join(folder, name);
        if (!statSync(path).isDirectory() || name === "wire") continue;
        for (const file of readdirSync(path).sort()) if (file.endsWith(".json")) cases.push(loadCase(join(path, file)));
    }
    const configure = join(folder, "configure.json");
    try {
        for (const variant of JSON.parse(readFileSync(configure, "utf8")) as Case[]) {
            cases.push({ ...variant, id: `configure/${variant.id}`, type: "configure" });
        }
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    return cases;
}

interface CaseFile {
    readonly id: string;
    readonly type: string;
    readonly title: string;
    readonly steps: readonly { readonly rpcs?: readonly RecordedRpc[] }[];
    readonly values?: JsonMap;
    readonly responses?: JsonMap;
}

function loadCase(path: string): Case {
    const file = JSON.parse(readFileSync(path, "utf8")) as CaseFile;
    const tables: JsonMap = {};
    for (const [name, value] of Object.entries({ ...file.values, ...file.responses })) tables[`$${name}`] = value;
    const resolve = (value: Json): Json => {
        if (typeof value === "string") return value in tables ? resolve(tables[value]!) : value;
        if (Array.isArray(value)) return value.map(resolve);
        if (value === null || typeof value !== "object") return value;
        return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]));
    };
    const rpcs = file.steps
        .flatMap((step) => step.rpcs ?? [])
        .map((rpc) => resolve(rpc as unknown as Json) as unknown as RecordedRpc);
    return { id: file.id, type: file.type, title: file.title, rpcs };
}

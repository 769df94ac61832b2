import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Product } from "../actions";
import { Cloud } from "../cloud";
import { applySeed } from "../console";
import { World } from "../world";

/** Recordings of the real alicloud plugin. The README there describes the format. */
export const CORPUS = join("testdata", "alicloud-plugin");

interface RecordedCall {
    readonly product: Product;
    readonly action: string;
    readonly params: Readonly<Record<string, string>> | string;
    readonly inQuery?: readonly string[];
    readonly status?: number;
    readonly response?: unknown;
}

interface Step {
    readonly step: string;
    readonly cloudFaults?: readonly { readonly action: string; readonly times?: number }[];
    readonly cloudBehaviour?: unknown;
    readonly calls?: readonly RecordedCall[];
    readonly rpcs?: readonly { readonly calls?: readonly RecordedCall[] }[];
}

export interface RecordedCase {
    /** Folder of the corpus, which is the type: `slb.Listener`. */
    readonly folder: string;
    readonly id: string;
    readonly cloudBefore?: readonly RecordedCall[];
    readonly steps: readonly Step[];
    readonly values?: Readonly<Record<string, unknown>>;
    readonly responses?: Readonly<Record<string, unknown>>;
}

/** All cases of the folders whose names begin with any of `prefixes`. */
export function casesOf(prefixes: readonly string[]): RecordedCase[] {
    const folders = readdirSync(CORPUS).filter(
        (name) => prefixes.some((p) => name.startsWith(p)) && !name.includes(".json") && !name.endsWith(".md"),
    );
    return folders.flatMap((folder) =>
        readdirSync(join(CORPUS, folder))
            .filter((file) => file.endsWith(".json"))
            .map((file): RecordedCase => ({
                ...(JSON.parse(readFileSync(join(CORPUS, folder, file), "utf8")) as RecordedCase),
                folder,
            })),
    );
}

/** Recorded call and this cloud's answer to it. */
export interface Replayed {
    readonly call: RecordedCall;
    readonly params: Readonly<Record<string, string>>;
    readonly wantedStatus: number;
    readonly desired: unknown;
    readonly status: number;
    readonly body: unknown;
}

/** Networks that the recordings use. */
const NETWORKS = {
    vpcs: [{ id: "vpc-0001", cidr: "192.168.0.0/16" }],
    vSwitches: [
        { id: "vsw-0001", zoneId: "cn-hangzhou-h", cidr: "192.168.0.0/24" },
        { id: "vsw-0002", zoneId: "cn-hangzhou-g", cidr: "192.168.1.0/24" },
        { id: "vsw-0003", zoneId: "cn-hangzhou-i", cidr: "192.168.2.0/24" },
    ],
};

/**
 * Preparations of the recorder for which this cloud has no actions. A lenient cloud does not ask for what they make when
 * a listener names it.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
    "CreateMasterSlaveServerGroup",
    "UploadCACertificate",
    "UploadServerCertificate",
]);

/**
 * Makes the recorded calls of a case again, in order, against a lenient cloud.
 * Calls with injected faults, which the recorder's cloud refused or garbled, are left out: they had no effect there.
 */
export async function replay(recorded: RecordedCase): Promise<Replayed[]> {
    const world = new World("cn-hangzhou");
    world.rules.strict = false;
    const cloud = new Cloud(world, { accessKeyId: "id", accessKeySecret: "secret" });
    await applySeed(cloud, NETWORKS);
    const look = <T>(ref: unknown): T =>
        typeof ref === "string" && ref.startsWith("$")
            ? ({ ...recorded.values, ...recorded.responses }[ref.slice(1)] as T)
            : (ref as T);
    const done: Replayed[] = [];
    const make = async (call: RecordedCall): Promise<void> => {
        // Client tokens were blanked in the recording. If they were all alike, they would be repetitions of the same
        // request.
        const given = Object.entries(look<Record<string, unknown>>(call.params)).filter(
            ([name]) => name !== "ClientToken",
        );
        const params = Object.fromEntries(given.map(([k, v]) => [k, String(v)]));
        const answer = await cloud.act(call.action, params, "seed", call.product);
        if (answer === "drop") throw new Error("no faults are set here");
        done.push({
            call,
            params,
            wantedStatus: call.status ?? 200,
            desired: look(call.response),
            status: answer.status,
            body: answer.body,
        });
    };
    for (const call of recorded.cloudBefore ?? []) if (!LEFT_OUT.has(call.action)) await make(call);
    const faulty = new Set<string>();
    for (const step of recorded.steps) {
        for (const fault of step.cloudFaults ?? []) faulty.add(fault.action);
        for (const call of [...(step.calls ?? []), ...(step.rpcs ?? []).flatMap((rpc) => rpc.calls ?? [])]) {
            const body = look<unknown>(call.response);
            const garbled =
                call.status !== undefined &&
                faulty.has(call.action) &&
                (call.status !== 200 || typeof body !== "object" || body === null || "Code" in body || "raw" in body);
            const unanswered = call.status === undefined && step.rpcs !== undefined && faulty.has(call.action);
            if (!garbled && !unanswered) await make(call);
        }
    }
    return done;
}

/** Paths at which `desired` holds something that `got` does not. Extra keys of `got` are fine. */
export function differences(desired: unknown, got: unknown, ignore: ReadonlySet<string>, path = ""): string[] {
    if (Array.isArray(desired)) {
        if (!Array.isArray(got) || got.length !== desired.length)
            return [`${path}: ${JSON.stringify(desired)} / ${JSON.stringify(got)}`];
        return desired.flatMap((item, i) => differences(item, got[i], ignore, `${path}[]`));
    }
    if (desired !== null && typeof desired === "object") {
        return Object.entries(desired).flatMap(([key, value]) => {
            const inner = got !== null && typeof got === "object" ? (got as Record<string, unknown>)[key] : undefined;
            return ignore.has(key) ? [] : differences(value, inner, ignore, `${path}.${key}`);
        });
    }
    return desired === got ? [] : [`${path}: ${JSON.stringify(desired)} / ${JSON.stringify(got)}`];
}

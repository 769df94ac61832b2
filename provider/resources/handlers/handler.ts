/** Shared by all handlers: where an object is, values of the engine, results of methods. */
import { type Cloud, openAccount } from "../../cloud";
import { type ClusterReader, openCluster } from "../../cluster";
import type { Account } from "../../schema/account";
import { defined } from "../../schema/defined";

/** Access to an account without the region, which has its own input. References only. */
export type AccountReference = Omit<Account, "region">;

/** Region and account of an object. Default: the environment of the run. */
export interface Place {
    readonly region?: string;
    readonly account?: AccountReference;
}

export function openPlace({ region, account }: Place): Cloud {
    return openAccount({ ...account, ...defined({ region }) });
}

/** Cluster of an object, as a reference that may be stored. */
export interface ClusterReference {
    /** Path of the kubeconfig; absent = as kubectl finds it. Its contents are never stored. */
    readonly kubeconfig?: string;
    /** Context of the kubeconfig; absent = its current one. */
    readonly context?: string;
}

export function openReference({ kubeconfig, context }: ClusterReference): ClusterReader {
    return openCluster(defined({ kubeconfig, context }));
}

/** Value of the engine for what is unknown before `pulumi up`. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** True if a value, or one inside it, is unknown. */
export function isUnknown(value: unknown): boolean {
    return value === UNKNOWN || (typeof value === "object" && value !== null && Object.values(value).some(isUnknown));
}

/** Returns a value without undefined fields: the engine refuses them in an answer, after the call has been made. */
export function plain<T extends object>(value: T): T {
    return JSON.parse(JSON.stringify(value)) as T;
}

/** Result of `check`. */
export interface Checked<Inputs> {
    readonly inputs: Inputs;
    readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

export type CheckMethod<Inputs> = (olds: Partial<Inputs>, news: Inputs) => Promise<Checked<Inputs>>;

/** Creates an object. Outputs are its inputs, and what else is recorded. */
export type Create<Inputs, Outputs = Inputs> = (inputs: Inputs) => Promise<{ id: string; outs: Outputs }>;

export type Update<Inputs, Outputs = Inputs> = (id: string, olds: Outputs, news: Inputs) => Promise<{ outs: Outputs }>;

/** Result of `read`; empty if the object does not exist. */
export interface Observed<Inputs, Outputs = Inputs> {
    readonly id?: string;
    readonly props?: Outputs;
    readonly inputs?: Inputs;
}

export type ReadMethod<Inputs, Outputs = Inputs> = (id: string, props: Outputs) => Promise<Observed<Inputs, Outputs>>;

export type Delete<Outputs> = (id: string, props: Outputs) => Promise<void>;

/** Returns the result of a check that refuses its inputs for each problem. */
export const refuse = <Inputs>(inputs: Inputs, problems: readonly string[]): Checked<Inputs> => ({
    inputs,
    // With a property the engine would print its whole value before the reason.
    failures: problems.map((reason) => ({ property: "", reason })),
});

/** Returns the result of a check of a Service. */
export const refuseService = <Inputs extends { readonly service: string }>(
    inputs: Inputs,
    problems: readonly (string | undefined)[],
): Checked<Inputs> =>
    refuse(
        inputs,
        problems.flatMap((problem) => (problem === undefined ? [] : [`Service ${inputs.service}: ${problem}`])),
    );

/** Returns the methods of a resource that is created and updated by the same write. */
export function applying<Inputs extends object>(
    idOf: (inputs: Inputs) => string,
    apply: (inputs: Inputs) => Promise<void>,
): { readonly create: Create<Inputs>; readonly update: Update<Inputs> } {
    return {
        create: async (inputs) => (await apply(inputs), { id: idOf(inputs), outs: plain(inputs) }),
        update: async (_id, _olds, news) => (await apply(news), { outs: plain(news) }),
    };
}

/** Returns the methods of a resource that only records its inputs. */
export const recording = <Inputs extends { readonly service: string }>() =>
    applying<Inputs>(
        ({ service }) => service,
        () => Promise.resolve(),
    );

/** Returns the result of a read of a resource whose outputs are its inputs. */
export function observed<Inputs extends object>(id: string, found: Inputs): Observed<Inputs> {
    const inputs = plain(found);
    return { id, props: inputs, inputs };
}

export const gone = (object: string, change: string): Error =>
    new Error(`${object} does not exist, so ${change}. Remedy: run pulumi up --refresh, which makes it again.`);

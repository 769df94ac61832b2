/** Shared by all handlers: where an object is, values of the engine, results of methods. */
import { type Cloud, openAccount } from "../../cloud";
import { type ClusterReader, openCluster } from "../../cluster";
import { errorMessage } from "../../net";
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
    /** Path of the kubeconfig. If absent, it is found as kubectl finds it. Its contents are never stored. */
    readonly kubeconfig?: string;
    /** Context of the kubeconfig. If absent, it is the current context. */
    readonly context?: string;
}

export function openReference({ kubeconfig, context }: ClusterReference): ClusterReader {
    return openCluster(defined({ kubeconfig, context }));
}

/** Value of the engine for what is unknown before `pulumi up`. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** True if a value, or a value inside it, is unknown. */
export function isUnknown(value: unknown): boolean {
    return value === UNKNOWN || (typeof value === "object" && value !== null && Object.values(value).some(isUnknown));
}

/** Returns a value without undefined fields: the engine refuses them in an answer, after the call has been made. */
export function plain<T extends object>(value: T): T {
    return JSON.parse(JSON.stringify(value)) as T;
}

export interface Checked<Inputs> {
    readonly inputs: Inputs;
    readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

export type CheckMethod<Inputs> = (olds: Partial<Inputs>, news: Inputs) => Promise<Checked<Inputs>>;

/** Mark of a record whose last update failed: the object may have parts of it. */
export interface Unsure {
    readonly unsure?: true;
}

/** Object of a resource. Its outputs are its inputs and the computed outputs. */
export interface ManagedObject<Inputs, Computed> {
    readonly create: (inputs: Inputs) => Promise<{ readonly id: string } & Computed>;
    readonly update: (
        olds: Inputs & Computed & Unsure,
        news: Inputs,
        id: string,
    ) => Promise<Computed | (object extends Computed ? void : never)>;
    /** Returns the observed fields, or undefined if the object does not exist. Other fields stay as recorded. */
    readonly read: (props: Inputs & Computed, id: string) => Promise<Partial<Inputs & Computed> | undefined>;
    readonly delete?: (props: Inputs & Computed, id: string) => Promise<void>;
}

/** Result of `read`, empty if the object does not exist. */
export interface Observed<Inputs, Outputs> {
    readonly id?: string;
    readonly props?: Outputs;
    readonly inputs?: Inputs;
}

/**
 * Returns the methods of a resource with an object. A module exports `remove` as `delete`.
 *
 * @param computed names of the outputs that are no inputs
 */
export function managing<Inputs extends object, Computed extends object = object>(
    object: ManagedObject<Inputs, Computed>,
    computed: readonly (keyof Computed)[] = [],
) {
    type Outputs = Inputs & Computed;
    return {
        create: async (inputs: Inputs): Promise<{ id: string; outs: Outputs }> => {
            const { id, ...made } = await object.create(inputs);
            return { id, outs: plain({ ...inputs, ...made } as unknown as Outputs) };
        },
        update: async (id: string, olds: Outputs & Unsure, news: Inputs): Promise<{ outs: Outputs }> => {
            try {
                const made = (await object.update(olds, news, id)) as Computed;
                return { outs: plain({ ...news, ...made }) };
            } catch (error) {
                // With these fields the engine records the failure, and updates again even if the inputs go back.
                const message = errorMessage(error);
                const recorded = { id, properties: { ...olds, unsure: true }, reasons: [message] };
                throw Object.assign(new Error(message, { cause: error }), recorded);
            }
        },
        read: async (id: string, { unsure: _, ...recorded }: Outputs & Unsure): Promise<Observed<Inputs, Outputs>> => {
            const found = await object.read(recorded as unknown as Outputs, id);
            if (found === undefined) return {};
            const props = plain({ ...recorded, ...found } as unknown as Outputs);
            const isInput = ([name]: [string, unknown]): boolean => !computed.includes(name as keyof Computed);
            return { id, props, inputs: Object.fromEntries(Object.entries(props).filter(isInput)) as Inputs };
        },
        remove: async (id: string, props: Outputs): Promise<void> => {
            await object.delete?.(props, id);
        },
    };
}

/** Returns the result of a check that refuses its inputs for each problem. */
export const refuse = <Inputs>(inputs: Inputs, problems: readonly string[]): Checked<Inputs> => ({
    inputs,
    // With a property the engine would print its whole value before the reason.
    failures: problems.map((reason) => ({ property: "", reason })),
});

export const refuseService = <Inputs extends { readonly service: string }>(
    inputs: Inputs,
    problems: readonly (string | undefined)[],
): Checked<Inputs> =>
    refuse(
        inputs,
        problems.flatMap((problem) => (problem === undefined ? [] : [`Service ${inputs.service}: ${problem}`])),
    );

/** Returns how an object is created and updated by the same write. */
export const applying = <Inputs>(idOf: (inputs: Inputs) => string, apply: (inputs: Inputs) => Promise<void>) => ({
    create: async (inputs: Inputs) => (await apply(inputs), { id: idOf(inputs) }),
    update: (_olds: Inputs, news: Inputs) => apply(news),
});

export const recording = <Inputs extends { readonly service: string }>() => ({
    create: async (inputs: Inputs) => ({ id: inputs.service, outs: plain(inputs) }),
    update: async (_id: string, _olds: Inputs, news: Inputs) => ({ outs: plain(news) }),
});

export const gone = (object: string, change: string): Error =>
    new Error(`${object} does not exist, so ${change}. Remedy: run pulumi up --refresh, which makes it again.`);

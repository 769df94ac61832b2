/** A lab in which the Cloud Controller Manager's recordings were left, and stacks that take them over. */
import { expect } from "@jest/globals";
import { dataPath, type Left, RECORDED_CLUSTER, RECORDED_NODES } from "../../examples/migrate-from-ccm/ccm";
import type { Session } from "../../lab";
import { type LabChoice, takeLab } from "./labs";
import { Stack } from "./world";

/** A lab that is the cluster of the recordings. */
export async function startRecorded(options: LabChoice = {}): Promise<Session> {
    const session = await takeLab(RECORDED_CLUSTER, options);
    for (const node of RECORDED_NODES) await session.lab.addNode(node);
    return session;
}

export const documents = (manifests: readonly object[]): string =>
    manifests.map((manifest) => JSON.stringify(manifest)).join("\n---\n");

/** A stack that exposes the Services of these manifests. */
export async function stackOf(session: Session, name: string, manifests: readonly object[]): Promise<Stack> {
    const stack = await Stack.create(session, name, []);
    stack.writeText(documents(manifests));
    return stack;
}

/** Names of the Services, as the stack's configuration has them. */
export const keysOf = (lefts: readonly Left[]): string[] => lefts.map(({ live }) => `default/${live.metadata.name}`);

/** The stack's configuration that adopts these Services. */
export const adopting = (lefts: readonly Left[], options: object = {}): string =>
    JSON.stringify(Object.fromEntries(keysOf(lefts).map((key) => [key, options])));

/**
 * Runs an operation that must not change the load balancers: no write call except those that are named. With named
 * calls, tags of NLBs may change.
 */
export async function untouched<T>(
    session: Session,
    operation: () => Promise<T>,
    but: readonly string[] = [],
): Promise<T> {
    const since = await session.lastCall();
    const before = await dataPath(session.lab);
    const result = await operation();
    const writes = (await session.calls(since))
        .filter(({ mutating, action }) => mutating && !but.includes(action))
        .map(({ action, params }) => `${action} ${JSON.stringify(params)}`);
    expect(writes).toStrictEqual([]);
    const strip = ({ nlb, ...rest }: typeof before) => ({
        ...rest,
        nlb: {
            ...nlb,
            loadBalancers: nlb.loadBalancers.map(({ tags, ...one }) => ({ ...one, tags: but.length > 0 ? {} : tags })),
        },
    });
    expect(strip(await dataPath(session.lab))).toStrictEqual(strip(before));
    return result;
}

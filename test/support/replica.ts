/** Replicas of the sync controller as processes of their own, and what the tests of sync read. */
import { type ChildProcess, spawn } from "node:child_process";
import { applyYaml, REPOSITORY, type Session, waitFor } from "../../lab";
import { stringify } from "yaml";
import { bindingDefinition } from "../../provider/sync/binding/crd";
import type { BindingSpec } from "../../provider/sync/binding/spec";
import type { BindingStatus } from "../../provider/sync/binding/status";

export class ReplicaProcess {
    readonly #child: ChildProcess;
    #text = "";

    /** @param session lab, whose variables the process gets. */
    constructor(session: { readonly lab: Pick<Session["lab"], "env"> }, ...args: string[]) {
        this.#child = spawn(
            process.execPath,
            ["dist/cli/main.js", "sync", "--namespace", "default", "--port", "0", "--resync-seconds", "10", ...args],
            { cwd: REPOSITORY, env: session.lab.env, stdio: ["ignore", "pipe", "pipe"] },
        );
        for (const stream of [this.#child.stdout, this.#child.stderr])
            stream?.on("data", (chunk: Buffer) => (this.#text += chunk.toString()));
    }

    /** Returns its output so far. */
    get text(): string {
        return this.#text;
    }

    /** Reports whether it has not ended. */
    get running(): boolean {
        return this.#child.exitCode === null && this.#child.signalCode === null;
    }

    /** Reports whether its last message about the lease is that it leads. */
    get leads(): boolean {
        return this.#text.lastIndexOf('"leading"') > this.#text.lastIndexOf('"not leading any more"');
    }

    signal(signal: "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
        this.#child.kill(signal);
    }

    /** Waits until it has ended, and returns its exit code, or -1 if it was killed. */
    async ended(): Promise<number> {
        if (this.running) await new Promise((resolve) => this.#child.once("close", resolve));
        return this.#child.exitCode ?? -1;
    }

    /** Waits for a line of its log. */
    async prints(what: string): Promise<void> {
        await waitFor(
            `the replica prints ${what}`,
            () => Promise.resolve(this.#text.includes(what) ? true : undefined),
            {
                state: () => this.#text,
            },
        );
    }
}

/** Returns the leading replica, once there is one. */
export const leaderOf = (replicas: readonly ReplicaProcess[]): Promise<ReplicaProcess> =>
    waitFor("one replica leads", () => Promise.resolve(replicas.find((one) => one.running && one.leads)), {
        state: () => replicas.map(({ text }) => text).join("\n"),
    });

const COLLECTION = "/apis/ack-loadbalancer.io/v1alpha1/namespaces/default/servergroupbindings";

/** Installs the custom resource and waits until the API server serves it. */
export async function installBindings(session: Session): Promise<void> {
    await applyYaml(session.lab.cluster, stringify(bindingDefinition()));
    await serveBindings(session);
}

/** Waits until the API server serves the custom resource. Until it does, it answers 404, then 429. */
export const serveBindings = ({ lab }: Session): Promise<unknown> =>
    waitFor("the API server serves bindings", () => lab.cluster.find(COLLECTION).catch(() => undefined));

/** Applies a binding in the namespace `default`, as an object of a version. */
export const applyBinding = (
    { lab }: Session,
    name: string,
    spec: BindingSpec & Readonly<Record<string, unknown>>,
    version = "v1alpha1",
): Promise<unknown> =>
    applyYaml(
        lab.cluster,
        stringify({
            apiVersion: `ack-loadbalancer.io/${version}`,
            kind: "ServerGroupBinding",
            metadata: { name, namespace: "default" },
            spec,
        }),
    );

/** Status of a binding. */
export const statusOf = async ({ lab }: Session, name: string): Promise<BindingStatus> =>
    (await lab.cluster.get<{ status?: BindingStatus }>(`${COLLECTION}/${name}`)).status ?? {};

/** Waits until the managed members of a group are these, by server or address. */
export async function waitForMembers(
    members: () => Promise<Readonly<Record<string, number>>>,
    desired: Readonly<Record<string, number>>,
): Promise<void> {
    const text = (record: Readonly<Record<string, number>>): string =>
        JSON.stringify(Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))));
    let seen = "";
    await waitFor(
        `members ${text(desired)}`,
        async () => ((seen = text(await members())) === text(desired) ? true : undefined),
        { state: () => `there are ${seen}` },
    );
}

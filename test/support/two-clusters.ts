import * as fs from "node:fs";
import * as path from "node:path";
import { parse, stringify } from "yaml";
import { applyYaml, type Lab, Session, startLab, waitForDeployment } from "../../lab";
import { deploymentYaml, startWorld } from "./world";

/** Two clusters side by side. The cloud belongs to the first. */
export interface TwoClusters {
    readonly session: Session;
    readonly other: Lab;
    /** Kubeconfig of each cluster alone. */
    readonly kubeconfig: { readonly a: string; readonly b: string };
    /** Kubeconfig with the current context `a` and a context `b`. */
    readonly both: string;
    stop(): Promise<void>;
}

/** Starts two clusters, each with nodes of its own and pods of `shop`. */
export async function startTwoClusters(): Promise<TwoClusters> {
    const [session, { lab: other, machines }] = await Promise.all([startWorld({ isResident: true }), startOther()]);
    await session.cloud("/_seed", { instances: machines });
    const kubeconfig = { a: session.lab.variables["KUBECONFIG"]!, b: other.variables["KUBECONFIG"]! };
    const both = path.join(session.lab.dir, "both.kubeconfig");
    fs.writeFileSync(both, merge(kubeconfig), { mode: 0o600 });
    return {
        session,
        other,
        kubeconfig,
        both,
        stop: async () => void (await Promise.all([session.lab.stop(), other.stop()])),
    };
}

/** Starts a cluster whose machines are in the first cluster's cloud. */
async function startOther(): Promise<{ readonly lab: Lab; readonly machines: readonly { id: string }[] }> {
    const lab = await startLab({ clusterId: "c-test" });
    const machines: { id: string }[] = [];
    for (const name of ["other-1", "other-2"]) {
        const { spec } = await lab.addNode({ name });
        machines.push({ id: (spec.providerID ?? "").replace(/^[^.]*\./, "") });
    }
    await applyYaml(lab.cluster, deploymentYaml("shop", 2));
    await waitForDeployment(lab.cluster, "default", "shop");
    return { lab, machines };
}

interface Kubeconfig {
    clusters: { name: string; cluster: object }[];
    users: { name: string; user: object }[];
}

function merge(files: Readonly<Record<string, string>>): string {
    const parts = Object.entries(files).map(([name, file]) => {
        const { clusters, users } = parse(fs.readFileSync(file, "utf8")) as Kubeconfig;
        return { name, cluster: clusters[0]!.cluster, user: users[0]!.user };
    });
    return stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": parts[0]!.name,
        clusters: parts.map(({ name, cluster }) => ({ name, cluster })),
        users: parts.map(({ name, user }) => ({ name, user })),
        contexts: parts.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
    });
}

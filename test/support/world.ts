/** What end-to-end tests are made of: a lab with nodes and pods, stacks of the root project, Services, and the state of the cloud. */
import { applyYaml, Session, type SessionOptions, startLab, waitForDeployment } from "../../lab";
import { deploymentYaml, placedDeploymentYaml } from "./yaml";

export * from "./cloud-state";
export * from "./stack";
export { deploymentYaml, type ServiceSpec, serviceYaml } from "./yaml";

async function startNodes(options: SessionOptions): Promise<Session> {
    const lab = await startLab({ clusterId: "c-test" });
    for (const name of ["node-1", "node-2", "node-3"]) {
        await lab.addNode({ name });
    }
    return new Session(lab, options);
}

/** A lab with three nodes and four pods of `shop`; the scheduler decides which node has two of them. */
export async function startWorld(options: SessionOptions = {}): Promise<Session> {
    const session = await startNodes(options);
    await applyYaml(session.lab.cluster, deploymentYaml("shop", 4));
    await waitForDeployment(session.lab.cluster, "default", "shop");
    return session;
}

/** A lab with three nodes, and of the pods of `shop` two on the first one and one on each of the others. */
export async function startPlacedWorld(options: SessionOptions = {}): Promise<Session> {
    const session = await startNodes(options);
    for (const [node, replicas] of Object.entries({ "node-1": 2, "node-2": 1, "node-3": 1 })) {
        const name = `shop-${node}`;
        await applyYaml(session.lab.cluster, placedDeploymentYaml(name, replicas, node));
        await waitForDeployment(session.lab.cluster, "default", name);
    }
    return session;
}

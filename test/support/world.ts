/**
 * Parts of end-to-end tests: a lab with nodes and pods, stacks of the root project, Services, and the state of the
 * cloud.
 */
import { applyYaml, type Session, waitForDeployment } from "../../lab";
import { type LabChoice, takeLab } from "./labs";
import { deploymentYaml, placedDeploymentYaml } from "./yaml";

export * from "./cloud-state";
export * from "./stack";
export { deploymentYaml, type ServiceSpec, serviceYaml } from "./yaml";

async function startNodes(options: LabChoice): Promise<Session> {
    const session = await takeLab("c-test", options);
    for (const name of ["node-1", "node-2", "node-3"]) {
        await session.lab.addNode({ name });
    }
    return session;
}

/** Starts a lab with three nodes and four pods of `shop`. The scheduler decides which node has two of them. */
export async function startWorld(options: LabChoice = {}): Promise<Session> {
    const session = await startNodes(options);
    await applyYaml(session.lab.cluster, deploymentYaml("shop", 4));
    await waitForDeployment(session.lab.cluster, "default", "shop");
    return session;
}

/** Starts a lab with three nodes and the pods of `shop`: two on the first node, and one pod on each of the others. */
export async function startPlacedWorld(options: LabChoice = {}): Promise<Session> {
    const session = await startNodes(options);
    for (const [node, replicas] of Object.entries({ "node-1": 2, "node-2": 1, "node-3": 1 })) {
        const name = `shop-${node}`;
        await applyYaml(session.lab.cluster, placedDeploymentYaml(name, replicas, node));
        await waitForDeployment(session.lab.cluster, "default", name);
    }
    return session;
}

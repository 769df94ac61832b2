import { expect, test } from "@jest/globals";
import type { Client } from "./client";
import { waitForDeployment } from "./workloads";

const DEPLOYMENT = {
    metadata: { generation: 1 },
    spec: { replicas: 1, template: { metadata: { labels: { app: "web" } } } },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1 },
};
const POD = {
    metadata: { name: "web-1", labels: { app: "web" } },
    spec: {},
    status: { conditions: [{ type: "Ready", status: "True" }], podIP: "172.20.0.1" },
};

test("a deployment whose status still counts a deleted pod is not ready", async () => {
    const pods: object[][] = [[], [POD]];
    const get = (path: string): Promise<object> => {
        if (path.endsWith("/deployments/web")) return Promise.resolve(DEPLOYMENT);
        return Promise.resolve({ items: path.endsWith("/pods") ? (pods.shift() ?? [POD]) : [] });
    };
    await waitForDeployment({ get } as unknown as Client, "default", "web");
    expect(pods).toStrictEqual([]);
});

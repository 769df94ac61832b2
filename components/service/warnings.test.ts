/** Requirements: H24. */
import { expect, jest, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { FakeCluster } from "../mocks";
import type { LiveService } from "./read-service";
import { logWarnings, warnOf } from "./warnings";

const withPort = (nodePort: number): LiveService => ({
    live: { metadata: { name: "web", namespace: "shop" }, spec: { ports: [{ port: 80, nodePort }] } },
});

/** Returns the run's messages about a Service with this node port. */
async function said(nodePort: number): Promise<string[]> {
    const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
    const live = pulumi.output(withPort(nodePort));
    const service = { settings: {} } as Parameters<typeof warnOf>[1]["service"];
    const ids = { namespace: "shop", name: "web" };
    const cluster = new FakeCluster({ clusterId: "c-1" });
    warnOf("shop/web", { service, live, ids, dependsOn: undefined, cluster }, [], false);
    await new Promise((done) => live.apply(() => setImmediate(done)));
    const texts = warn.mock.calls.map(([text]) => text);
    warn.mockRestore();
    return texts;
}

test("a node port that the cluster has assigned among the local ones is said by the run", async () => {
    expect(await said(33000)).toStrictEqual([
        expect.stringMatching(
            /^Service shop\/web: node port 33000 of port 80 is in the nodes' local port range 32768-60999.* Remedy: set spec\.ports\.nodePort/,
        ),
    ]);
    expect(await said(30080)).toStrictEqual([]);
});

test("each warning is a message of its own, without the word that Pulumi prints before it", () => {
    const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
    const about = { severity: "warning", place: { subject: "Service shop/web" }, remedy: "remove it" } as const;
    logWarnings([
        { ...about, code: "annotation-scope", cause: "has no effect" },
        { ...about, code: "annotation-effect", cause: "counts as the interval" },
    ]);
    expect(warn.mock.calls.map(([text]) => text)).toStrictEqual([
        "[annotation-scope] Service shop/web: has no effect\n    remedy: remove it",
        "[annotation-effect] Service shop/web: counts as the interval\n    remedy: remove it",
    ]);
    warn.mockRestore();
});

test("a preview warns of a missing namespace that the program cannot create", async () => {
    const dryRun = jest.spyOn(pulumi.runtime, "isDryRun").mockReturnValue(true);
    const service = { settings: {} } as Parameters<typeof warnOf>[1]["service"];
    const warnings = async (has: boolean | undefined, more: Partial<Parameters<typeof warnOf>[1]> = {}) => {
        const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
        const cluster = new FakeCluster({ clusterId: "c-1" });
        jest.spyOn(cluster.reads, "hasNamespace").mockResolvedValue(has);
        const live = pulumi.output<LiveService>({});
        const ids = { namespace: "shop", name: "web" };
        const specified = { service, live, ids, dependsOn: undefined, cluster, ...more };
        warnOf("shop/web", specified, [], false);
        await new Promise((done) => live.apply(() => setImmediate(done)));
        const texts = warn.mock.calls.map(([text]) => text);
        warn.mockRestore();
        return texts;
    };
    expect(await warnings(false)).toStrictEqual([
        expect.stringMatching(/^Service shop\/web: the cluster has no namespace "shop" yet\. Remedy: create it first/),
    ]);
    expect(await warnings(true)).toStrictEqual([]);
    expect(await warnings(undefined)).toStrictEqual([]);
    expect(await warnings(false, { dependsOn: [] })).toStrictEqual([]);
    expect(await warnings(false, { ids: { namespace: pulumi.output("shop"), name: "web" } })).toStrictEqual([]);
    dryRun.mockRestore();
});

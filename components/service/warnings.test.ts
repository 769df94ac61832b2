/** Requirements: H24. */
import { expect, jest, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import type { LiveService } from "./read-service";
import { logWarnings, warnOf } from "./warnings";

const withPort = (nodePort: number): LiveService => ({
    live: { metadata: { name: "web", namespace: "shop" }, spec: { ports: [{ port: 80, nodePort }] } },
});

/** What the run says of a Service with this node port. */
async function said(nodePort: number): Promise<string[]> {
    const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
    const live = pulumi.output(withPort(nodePort));
    const service = { settings: {} } as Parameters<typeof warnOf>[1];
    warnOf("shop/web", service, live, { warnings: [], follow: false });
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

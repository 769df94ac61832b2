/** Programs that make everything themselves: members are read when what decides about them is done, and not when the program starts. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { Program } from "../support/program";
import { assertEmpty, callsOf, startWorld, stateOf } from "../support/world";

let session: Session;

beforeAll(async () => {
    session = await startWorld();
});

afterAll(() => session.lab.stop());

const weights = async (): Promise<number[]> =>
    (await stateOf(session)).slb.vServerGroups.flatMap(({ backends }) => backends.map(({ weight }) => weight));

const deployment = (namespace: string, labels: string, more = ""): string => `
const labels = ${labels};
const app = new kubernetes.apps.v1.Deployment("app", {
    metadata: { name: "app", namespace: "${namespace}" },
    spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { automountServiceAccountToken: false, containers: [{ name: "app", image: "app:1" }] } },
    },
}, { ${more} });`;

const component = (service: string, opts: string): string =>
    `new ServiceLoadBalancer("web", { cluster: new Cluster({ clusterId: "c-order" }), service: { name: "web", ports: [{ port: 80, targetPort: 8080 }], externalTrafficPolicy: "Local", ${service} } }, { ${opts} });`;

test("Namespace, Deployment and component in one program: the preview works, and the first up ends with members", async () => {
    const stack = await Program.create(
        session,
        "greenfield",
        `const shop = new kubernetes.core.v1.Namespace("shop", { metadata: { name: "shop" } });` +
            deployment("shop", `{ app: "greenfield" }`, "dependsOn: [shop]") +
            component(`namespace: "shop", selector: { app: "greenfield" }`, "dependsOn: [app]"),
    );
    expect(stack.succeed(await stack.preview())).not.toMatch(/nodePort|error/);
    stack.succeed(await stack.up());
    expect((await weights()).length).toBeGreaterThan(0);
    expect(await callsOf(session, async () => stack.succeed(await stack.up()))).toStrictEqual({});
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});

test("a selector that is the Deployment's own output waits for its pods, without dependsOn", async () => {
    const stack = await Program.create(
        session,
        "selector",
        deployment("default", `{ app: "selector" }`) + component("selector: app.spec.selector.matchLabels", ""),
    );
    stack.succeed(await stack.preview());
    stack.succeed(await stack.up());
    expect((await weights()).length).toBeGreaterThan(0);
    stack.succeed(await stack.destroy());
});

test("an Output in a place that must be known is refused as such, with its field, and nothing is registered", async () => {
    const stack = await Program.create(
        session,
        "misplaced",
        `const shop = new kubernetes.core.v1.Namespace("shop");` +
            component(`namespace: shop.metadata.name, selector: { app: "web" }`, ""),
    );
    const text = stack.fail(await stack.preview());
    expect(text).toMatch(/metadata\.namespace: this is an Output, .*/s);
    expect(text).toMatch(/dependsOn/);
    expect(text).not.toMatch(/toJSON| {4}at /);
});

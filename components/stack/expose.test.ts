import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { FakeCluster, loadBalancerMocks } from "../mocks";
import { exposeFolder } from "./expose";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-lb-expose-"));
const mocks = loadBalancerMocks();

beforeAll(() => pulumi.runtime.setMocks(mocks, "project", "stack"));

afterAll(() => {
    fs.rmSync(folder, { recursive: true });
    return pulumi.runtime.disconnect();
});

const config: Parameters<typeof exposeFolder>[0] = {
    projectFolder: folder,
    manifests: folder,
    allowReplacement: {},
    allowEmpty: [],
    follow: [],
    adopt: {},
    handBack: [],
    protect: [],
};

const gone = { metadata: { name: "gone", namespace: "default" } };

test("a list of Services that names an unknown Service is refused with the nearest name", async () => {
    const manifest = (name: string) =>
        `{apiVersion: v1, kind: Service, metadata: {name: ${name}}, ` +
        "spec: {type: LoadBalancer, selector: {app: a}, ports: [{port: 80}]}}";
    fs.writeFileSync(path.join(folder, "api.yaml"), `${manifest("api-v2")}\n---\n${manifest("web")}\n`);
    const cluster = new FakeCluster({ clusterId: "c-1" }, { services: [gone] });
    const expose = (more: Partial<typeof config>) => exposeFolder({ ...config, ...more }, cluster);
    await expect(
        expose({
            protect: ["default/api-v2x", "default/web"],
            follow: ["defualt/api-v2"],
            allowReplacement: { "default/wbe": ["addressType"] },
            // What is handed back leaves the folder and stays in the cluster.
            handBack: ["default/gone", "default/gnoe"],
        }),
    ).rejects.toThrow(
        [
            "config protect names what the folder of manifests does not have: default/api-v2x (did " +
                "you mean default/api-v2?). Remedy: correct the name, or take it off the list; a Service " +
                "that leaves the folder stays protected until then.",
            "config follow names what the folder of manifests does not have: defualt/api-v2 (did you " +
                "mean default/api-v2?). Remedy: correct the name, or take it off the list.",
            "config allowReplacement names what the folder of manifests does not have: default/wbe " +
                "(did you mean default/web?). Remedy: correct the name, or take it off the list.",
            "config handBack names what the folder of manifests does not have: default/gnoe. Remedy: " +
                "correct the name, or take it off the list.",
        ].join("\n"),
    );
    expect(mocks.registered.filter(({ type }) => type !== "pulumi:pulumi:Stack")).toStrictEqual([]);
});

test("a new Service in a namespace that the cluster lacks is refused, with its place", async () => {
    const manifest = (name: string) =>
        `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\n  namespace: shop\n` +
        "spec: {type: LoadBalancer, selector: {app: a}, ports: [{port: 80}]}\n";
    const shop = fs.mkdtempSync(path.join(folder, "shop-"));
    fs.writeFileSync(path.join(shop, "web.yaml"), `${manifest("web")}---\n${manifest("old")}`);
    const old = { metadata: { name: "old", namespace: "shop" } };
    const cluster = new FakeCluster({ clusterId: "c-1" }, { services: [old] });
    const has = jest.spyOn(cluster.reads, "hasNamespace").mockResolvedValue(false);
    await expect(exposeFolder({ ...config, projectFolder: shop, manifests: shop }, cluster)).rejects.toThrow(
        "the manifests have problems; nothing was changed.\n" +
            "web.yaml:5:14: error[service-field]: Service shop/web: metadata.namespace: " +
            'the cluster has no namespace "shop", ' +
            "and this stack creates none\n" +
            "    remedy: create it first (kubectl create namespace shop), or correct metadata.namespace",
    );
    expect(has.mock.calls).toStrictEqual([["shop"]]);
});

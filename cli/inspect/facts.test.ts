/** Facts by which a Service is judged, and where they come from. */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { readConfiguration } from "./configuration";
import { factsOf, type FactSources } from "./facts";

const NOTHING: FactSources = { discovery: {}, configuration: undefined, settings: {}, named: [], members: [] };
const configured = (facts: object) => ({ file: "Pulumi.prod.yaml", facts, ofManifests: false });

for (const [what, sources, backends, from] of [
    ["nothing is known", {}, undefined, undefined],
    ["the cluster says Terway", { discovery: { networkPlugin: "terway" } }, "pods", "networkPlugin of the cluster"],
    ["the cluster says Flannel", { discovery: { networkPlugin: "flannel" } }, "nodes", "networkPlugin of the cluster"],
    [
        "the Service says nodes, on Terway",
        { discovery: { networkPlugin: "terway" }, settings: { backendType: "ecs" } },
        "nodes",
        "the Service (backend-type)",
    ],
    [
        "the stack says Terway",
        { configuration: configured({ networkPlugin: "terway" }), members: ["ecs"] },
        "pods",
        "networkPlugin of Pulumi.prod.yaml",
    ],
    [
        "the stack says that a Terway cluster is older than network interfaces of pods",
        { configuration: configured({ createdAt: "2019-01-01" }), discovery: { networkPlugin: "terway" } },
        "nodes",
        "networkPlugin of the cluster",
    ],
    [
        "a program, out of sight, has made groups of nodes on Terway",
        { discovery: { networkPlugin: "terway" }, named: ["ecs"] },
        "nodes",
        "the name of its server group",
    ],
    ["a joined group has pods", { members: ["eni", "eni"] }, "pods", "its members in the cloud"],
    ["members of both kinds", { members: ["eni", "ecs"] }, undefined, undefined],
    [
        "members of both kinds, on Terway",
        { members: ["eni", "ecs"], discovery: { networkPlugin: "terway" } },
        "pods",
        "networkPlugin of the cluster",
    ],
    ["a binding says pods", { binding: { backendType: "eni" }, members: ["ecs"] }, "pods", "the ServerGroupBinding"],
] as const satisfies readonly (readonly [string, Partial<FactSources>, string | undefined, string | undefined])[]) {
    test(`backends where ${what}`, () => {
        const [first] = factsOf({ ...NOTHING, ...(sources as Partial<FactSources>) }).shown;
        expect([first?.value, first?.from]).toStrictEqual([backends, from]);
    });
}

test("each fact has its origin, and what was not seen is said", () => {
    const { shown, facts } = factsOf({
        ...NOTHING,
        configuration: configured({ compatibility: "v2.10.0" }),
        binding: { compatibility: "v2.9.0", vpcCidrs: ["10.0.0.0/8"] },
        discovery: { kubeProxyMode: "ipvs", kubernetesVersion: "v1.34.1-aliyun.1" },
    });
    expect(shown.map(({ fact, value = "not seen", from = "" }) => `${fact}: ${value} ${from}`.trim())).toStrictEqual([
        "backends: not seen",
        "networkPlugin: not seen",
        "kubeProxyMode: ipvs the cluster",
        "kubernetesVersion: v1.34 the cluster",
        "compatibility: v2.10.0 Pulumi.prod.yaml",
        "vpcCidrs: 10.0.0.0/8 the ServerGroupBinding",
    ]);
    expect(facts).toMatchObject({ compatibility: "v2.10.0", vpcCidrs: ["10.0.0.0/8"], kubeProxyMode: "ipvs" });
});

test("the configuration of a stack is read from its project, in a folder beneath it, too", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "configuration-"));
    const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);
    fs.mkdirSync(path.join(folder, "deep"));
    write("Pulumi.yaml", "name: shop\nruntime: nodejs\nconfig:\n  kubeProxyMode: { value: ipvs }\n  manifests: m\n");
    write(
        "Pulumi.prod.yaml",
        "config:\n  shop:networkPlugin: terway\n  other:networkPlugin: flannel\n" +
            "  shop:vpcCidrs: [10.0.0.0/8]\n  shop:createdAt: [1]\n  ack-loadbalancer:compatibility: v2.10.0\n",
    );
    const facts = {
        networkPlugin: "terway",
        kubeProxyMode: "ipvs",
        vpcCidrs: ["10.0.0.0/8"],
        compatibility: "v2.10.0",
    };
    expect(readConfiguration(folder, "shop/prod")).toStrictEqual({
        file: "Pulumi.prod.yaml",
        facts,
        ofManifests: true,
    });
    const beneath = readConfiguration(path.join(folder, "deep"), "shop/prod");
    expect(beneath).toStrictEqual({ file: path.join("..", "Pulumi.prod.yaml"), facts, ofManifests: true });
    expect(readConfiguration(folder, "shop/test")).toBeUndefined();
    expect(readConfiguration(folder, "other/prod")).toBeUndefined();
    write("Pulumi.prod.yaml", "config: [");
    expect(readConfiguration(folder, "shop/prod")).toBeUndefined();
    fs.rmSync(folder, { recursive: true });
});

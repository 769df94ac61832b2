import { expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { promiseOf } from "../run/outputs";
import { Cluster } from "./cluster";

test("one id stands for one connection in a program", () => {
    const contents = pulumi.output("contents");
    const ROWS = [
        { clusterId: "c-context", first: { context: "a" }, same: { context: "a" }, other: { context: "b" } },
        { clusterId: "c-path", first: { kubeconfig: "a" }, same: { kubeconfig: "a" }, other: {} },
        {
            clusterId: "c-contents",
            first: { kubeconfig: contents },
            same: { kubeconfig: contents },
            other: { kubeconfig: pulumi.output("others") },
        },
    ];
    for (const { clusterId, first, same, other } of ROWS) {
        new Cluster({ clusterId, ...first });
        expect(() => new Cluster({ clusterId, ...same })).not.toThrow();
        expect(() => new Cluster({ clusterId, ...other })).toThrow(
            `two clusters of this program have the clusterId "${clusterId}" and different connections`,
        );
    }
});

test("objects of one cluster share its reads, and may state more or fewer facts", () => {
    const vswitches = [pulumi.output("vsw-1")];
    const objects = [
        new Cluster({ clusterId: "c-shared", vpcId: "vpc-1" }),
        new Cluster({ clusterId: "c-shared" }),
        new Cluster({ clusterId: "c-shared", networkPlugin: "terway", vswitches, sync: true }),
        new Cluster({ clusterId: "c-shared", vpcId: pulumi.output("vpc-1"), account: { region: "cn-beijing" } }),
    ];
    expect(new Set(objects.map(({ reads }) => reads)).size).toBe(1);
});

test("facts that contradict those of any object before are one error with both values", () => {
    new Cluster({ clusterId: "c-facts", vpcId: "vpc-1" });
    new Cluster({ clusterId: "c-facts", name: "second", networkPlugin: "terway", vpcCidrs: ["10.0.0.0/8"] });
    const other = { vpcId: "vpc-2", networkPlugin: "flannel", vpcCidrs: ["10.0.0.0/8"] } as const;
    const message =
        'two clusters of this program have the clusterId "c-facts" and contradict each other: ' +
        'networkPlugin is "terway" and "flannel"; vpcId is "vpc-1" and "vpc-2". ' +
        "Remedy: state each fact of a cluster once, or everywhere alike.";
    expect(() => new Cluster({ clusterId: "c-facts", ...other })).toThrow(message);
    expect(() => new Cluster({ clusterId: "c-facts", name: "third", ...other })).toThrow(
        message.replace("program", "program (c-facts and third)"),
    );
});

test("one name stands for one id", () => {
    new Cluster({ clusterId: "c-east", name: "prod" });
    expect(() => new Cluster({ clusterId: "c-west", name: "prod" })).toThrow(
        'two clusters of this program are called "prod", as their providers are, and have ' +
            '"c-east" and "c-west" as clusterId. Remedy: name them, new Cluster({ name: "…", clusterId }).',
    );
    expect(() => new Cluster({ clusterId: pulumi.output("c-east"), name: "prod" })).toThrow(/"c-east" and an Output/);
});

test("the id of an Output is compared once it is known", async () => {
    new Cluster({ clusterId: "c-known", vpcId: "vpc-1" });
    const { idProblem } = new Cluster({ clusterId: pulumi.output("c-known"), name: "later", vpcId: "vpc-2" });
    expect(await promiseOf(idProblem ?? pulumi.output(undefined))).toMatch(/vpcId is "vpc-1" and "vpc-2"/);
});

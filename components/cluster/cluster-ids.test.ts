import { expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
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

import { expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import * as path from "node:path";

/**
 * A program in a process of its own, where a rejection that nobody waits for is reported as Pulumi does it. The SDK
 * looks at what is exported once the program has been loaded.
 */
const PROGRAM = `
const pulumi = require("@pulumi/pulumi");
const { ServiceLoadBalancer } = require("./dist/components");
const { FakeCluster, loadBalancerMocks } = require("./dist/components/mocks");
process.on("unhandledRejection", (error) => console.log(error.message));
pulumi.runtime.setMocks(loadBalancerMocks(), "project", "stack").then(() => {
    const cluster = new FakeCluster({ clusterId: "c-1" });
    const args = { cluster, namespace: "default", name: "none" };
    const address = pulumi.output(ServiceLoadBalancer.METHOD("api", args).then((component) => component.address));
    setTimeout(() => address.apply((known) => console.log(known)).isKnown.catch(() => pulumi.runtime.disconnect()), 50);
});`;

for (const method of ["forExisting", "adopt"]) {
    test(`exporting the address of a missing Service (${method}) gives one error and no Node warning`, () => {
        const { stdout, stderr } = spawnSync(process.execPath, ["-e", PROGRAM.replace("METHOD", method)], {
            cwd: path.resolve("."),
            encoding: "utf8",
        });
        expect(new Set(stdout.trim().split("\n"))).toStrictEqual(
            new Set(["the cluster has no Service default/none. Remedy: apply it first, or check namespace and name."]),
        );
        expect(stderr).toBe("");
    });
}

/**
 * Loaded before a program: resources of ACK and VPC that take what the lab has, in place of those of the alicloud plugin,
 * which the lab has not. What a program knows of them is as with the real ones: nothing before they are made, ids, VPC
 * and kubeconfig afterwards. Everything else of the program is as it is.
 *
 * MADE_KUBECONFIG is the kubeconfig of the cluster that is "made".
 */
const Module = require("node:module");
const fs = require("node:fs");

const load = Module._load;
let stands;

Module._load = function (request, ...rest) {
    const [, part] = /^@pulumi\/alicloud\/(cs|vpc)$/.exec(request) ?? [];
    if (part === undefined) return load.call(this, request, ...rest);
    stands ??= standIns(load.call(this, "@pulumi/pulumi", ...rest));
    return stands[part];
};

function standIns(pulumi) {
    /** A resource of its own type, whose id and outputs are given. */
    const made = (type, id, outputs) =>
        class extends pulumi.dynamic.Resource {
            constructor(name, _args, opts) {
                const provider = { create: async () => ({ id, outs: outputs }) };
                const unknown = Object.fromEntries(Object.keys(outputs).map((key) => [key, undefined]));
                super(provider, name, unknown, opts, "lab", type);
            }
        };
    return {
        vpc: { Network: made("Network", "vpc-lab", {}), Switch: made("Switch", "vsw-lab-a", {}) },
        cs: {
            ManagedKubernetes: made("ManagedKubernetes", "c-made", { vpcId: "vpc-lab" }),
            NodePool: made("NodePool", "np-made", {}),
            getClusterCredentialOutput: ({ clusterId }) => ({
                kubeConfig: pulumi.output(clusterId).apply(() => fs.readFileSync(process.env.MADE_KUBECONFIG, "utf8")),
            }),
        },
    };
}

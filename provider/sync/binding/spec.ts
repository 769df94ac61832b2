/** Spec of a ServerGroupBinding: the schema of its type, its reader and its CustomResourceDefinition. */
import { z } from "zod";
import { MAX_WEIGHT } from "../../schema/backend";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { REGION } from "../../schema/region";

export const API_GROUP = "ack-loadbalancer.io";

export const API_VERSION = "v1alpha1";

export const BINDING_KIND = "ServerGroupBinding";

export const BINDING_PLURAL = "servergroupbindings";

export const DEFAULT_DRAIN_SECONDS = 300;

const port = z.int().min(1).max(65535);
const weight = z.int().min(0).max(MAX_WEIGHT);
const flag = (description: string) => z.boolean().optional().describe(description);
const optional = <Schema extends z.ZodType>(schema: Schema, description: string) =>
    schema.optional().describe(description);
/** Name of a Kubernetes object: a DNS subdomain. */
const objectName = z.string().min(1).max(253);

const PORT = z.object({
    name: optional(z.string().max(15), "Name of the Service port."),
    port: port.describe("The Service port."),
    protocol: z.enum(["TCP", "UDP"]).describe("Protocol of the Service port."),
    targetPort: z
        .union([port, z.string().min(1).max(15)])
        .meta({ "x-kubernetes-int-or-string": true })
        .describe("Port of the pods, or its name."),
});

const SERVER_GROUP = z
    .object({
        id: z
            .string()
            .regex(/^[a-z0-9-]+$/, "must be the id of a server group")
            .max(64)
            .describe("Id of the server group: rsp-… (CLB) or sgp-… (NLB)."),
        type: z
            .enum(["VServer", "Instance", "Ip"])
            .describe("VServer: a CLB's vServer group. Instance, Ip: what an NLB's server group holds."),
        userManaged: flag(
            "The group was not made for the Service; its backends join it. " +
                "Only groups that the controller is started with (--user-managed-group). Default false.",
        ),
        anyPort: flag("Backends answer on the port that the client has asked for (NLB). Default false."),
        ipVersion: optional(
            z.enum(["ipv4", "ipv6", "dualstack"]),
            "Which addresses of pods the group holds. Default ipv4.",
        ),
    })
    .describe("The server group in the cloud.");

const ASSUME_ROLE = z
    .object({
        roleArn: z.string().min(1).max(256).describe("For example acs:ram::1234567890123456:role/load-balancers."),
        sessionName: optional(z.string().max(64), "Name of the session. Default ack-loadbalancer."),
        externalId: optional(z.string().max(1224), "External id that the role's trust policy asks for."),
        policy: optional(z.string().max(2048), "RAM policy, as JSON, that narrows the session."),
    })
    .describe(
        "RAM role that the controller assumes for the calls of this group, " +
            "as for load balancers in another account. Default: the controller's own credentials.",
    );

export const BINDING_SPEC = z
    .object({
        region: z
            .string()
            .regex(REGION, "must be a region, such as cn-hangzhou")
            .max(64)
            .describe("Region of the server group, for example cn-hangzhou."),
        assumeRole: ASSUME_ROLE.optional(),
        serverGroup: SERVER_GROUP,
        ownershipMark: z
            .string()
            .min(1)
            .max(256)
            .describe(
                "Description of each managed backend, with cluster, namespace and name of the Service. " +
                    "Members without it are user-managed and left alone.",
            ),
        serviceName: objectName.describe("The Service, in the binding's namespace."),
        ports: z.array(PORT).min(1).max(100).describe("Service ports that the group serves."),
        backendType: z.enum(["ecs", "eni"]).describe("ecs: nodes are the backends. eni: pods are."),
        nodePort: optional(
            z.int().min(0).max(65535),
            "nodePort of the Service port, or 0 for a group with anyPort. Needed where nodes are backends.",
        ),
        externalTrafficPolicy: z
            .enum(["Cluster", "Local"])
            .describe("Local: only nodes that run a ready pod are backends, weighted by their number of pods."),
        nodeSelector: optional(
            z.record(z.string(), z.string()),
            "Labels that a node needs to be a backend (annotation backend-label). Default none.",
        ),
        removeUnscheduled: flag(
            "Cordoned nodes are no backends (annotation remove-unscheduled-backend). Default false.",
        ),
        weightShare: optional(
            weight,
            "Weight that the backends of the Service share in a user-managed group (annotation weight).",
        ),
        defaultWeight: optional(weight, "Weight of every backend where weights do not follow the pods. Default 100."),
        ignoreWeightUpdate: flag("Weights are set when a backend is added, and never again. Default false."),
        gracefulShutdown: flag(
            "A pod that terminates stays in the group with weight 0 for as long as it serves " +
                "(annotation graceful-shutdown); drainSeconds does not count. Default false.",
        ),
        compatibility: optional(
            z.string().max(64),
            "Version of the Cloud Controller Manager whose weights are computed. Default the newest.",
        ),
        vpcId: optional(
            z.string().max(64),
            "VPC of the cluster, in which network interfaces of pods are looked up. Default any.",
        ),
        vpcCidrs: optional(
            z.array(z.string().max(64)).max(64),
            "Address ranges of the VPC; pods outside them are skipped. Default: no pod is skipped.",
        ),
        allowEmpty: flag("The last backend may be removed. Default false: the last backends stay."),
        drainSeconds: optional(
            z.int().min(0).max(3600),
            "Longest time, in seconds, for which an endpoint that terminates and still serves " +
                "stays in the group with weight 0. 0 removes it at once. Default 300.",
        ),
    })
    .meta({
        "x-kubernetes-validations": [
            {
                rule: "self.backendType == 'eni' || has(self.nodePort)",
                message: "nodePort is needed where nodes are backends",
            },
            {
                rule: "!has(self.weightShare) || (has(self.serverGroup.userManaged) && self.serverGroup.userManaged)",
                message: "weightShare applies to a user-managed server group only",
            },
            {
                rule:
                    "self.serverGroup.type != 'VServer' || " +
                    "!has(self.serverGroup.anyPort) || !self.serverGroup.anyPort",
                message: "anyPort applies to server groups of an NLB only",
            },
        ],
    })
    .refine(({ backendType, nodePort }) => backendType === "eni" || nodePort !== undefined, {
        path: ["nodePort"],
        message: "nodePort is needed where nodes are backends",
    });

export type BindingSpec = z.output<typeof BINDING_SPEC>;

export const typeOf = ({ type }: BindingSpec["serverGroup"]): LoadBalancerType => (type === "VServer" ? "clb" : "nlb");

import { entry, needs, preset, row, rows, undocumented } from "../row";
import { clbDocument } from "../../../schema/documents";
import { anyCase, integer, labels, onOff, oneOf, vgroupPorts } from "../codecs";

export const clbBackendRows = rows("backend", "v1.9.3", clbDocument, {
    backendLabel: row(labels, "which nodes are backends", "Filter backend servers by node label", {
        doc: "Only nodes with all of these labels become backends. It has no effect while pods are the backends.",
    }),
    removeUnscheduledBackend: entry(preset(onOff, "off"), "Remove unschedulable nodes from the backend server group", {
        since: "v1.9.3.164-g2105d2e-aliyun",
        api: "which nodes are backends",
        doc: "Whether cordoned and drained nodes stop being backends.",
    }),
    backendType: row(oneOf("eni", "ecs"), "AddVServerGroupBackendServers Type", "Use Pod ENIs as backend servers", {
        suffix: "backend-type",
        defaultNote: "`eni` for Terway clusters created on or after 2020-08-10, `ecs` for all others",
        since: "v1.9.3.164-g2105d2e-aliyun",
        onChange: "server group is replaced",
        doc: "Whether pods with their network interfaces (`eni`) or nodes (`ecs`) are the backends.",
    }),
    vgroupPort: row(vgroupPorts, "VServerGroupId", "Reuse an existing vServer group", {
        companions: [needs("id", "only a reused instance has vServer groups of yours")],
        since: "v2.0.1",
        onChange: "create-only",
        doc:
            "Use these existing vServer groups of a reused instance for these Service ports. Groups made for " +
            "another Service cannot be used.",
        reference: true,
    }),
    weight: {
        type: integer(0, 100, "percent of the traffic; 0 drains the Service"),
        companions: [
            needs("vgroupPort", "traffic is shared out only within a vServer group that several Services use"),
            needs("id", "only a reused instance has vServer groups of yours"),
        ],
        since: "v2.0.1",
        api: "SetVServerGroupAttribute Weight",
        doc: "The share of the traffic that this Service receives where several Services serve one vServer group.",
        source: clbDocument("Set the traffic weight for the Service"),
    },
    ignoreWeightUpdate: row(onOff, "SetVServerGroupAttribute Weight", "Ignore backend server weight updates", {
        defaults: [{ value: "off" }],
        since: "v2.11.1",
        doc:
            "Whether the weights of backends that are already there are left as they are. New backends get the " +
            "computed weight in any case.",
    }),
    backendIpVersion: entry(preset(anyCase(oneOf("ipv4", "ipv6")), "ipv4"), undocumented("backend-ip-version"), {
        companions: [
            needs("ipVersion", "only such a load balancer passes traffic on to IPv6 addresses", {
                equals: "ipv6",
                when: "ipv6",
            }),
        ],
        api: "AddVServerGroupBackendServers ServerIp",
        doc: "Which addresses of pods are backends: IPv4 ones or IPv6 ones.",
    }),
    defaultWeight: row(integer(0, 100), "AddVServerGroupBackendServers Weight", undocumented("default-weight"), {
        defaults: [{ value: 100 }],
        doc: "The weight of every backend. With externalTrafficPolicy Local, nodes are weighted by their pods instead.",
    }),
});

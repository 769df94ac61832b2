/** IP versions, and where an internal load balancer gets its address. */

import { collector, diagnostic } from "../../../diagnostics";
import { clbDocument } from "../../../schema/documents";
import { ipVersionOf } from "../../defaults";
import { keyOf, type Rule } from "../context";

const SOURCE = clbDocument("Create an IPv6 CLB instance");

export const ipv6: Rule = ({ settings, facts }) => {
    if (settings.ipVersion !== "ipv6") return [];
    const report = collector("annotation-exclusion", { source: SOURCE });
    if (settings.ip !== undefined)
        report.error(
            "ip",
            "an IPv4 address cannot belong to an IPv6 load balancer",
            `remove ${keyOf("ip")} or ${keyOf("ipVersion")}`,
        );
    if (facts.kubeProxyMode === "iptables")
        report.error(
            "ipVersion",
            "needs kube-proxy in IPVS mode, but the cluster runs it in iptables mode",
            `remove ${keyOf("ipVersion")}, or use a cluster with IPVS`,
        );
    if (ipVersionOf(settings) === "ipv4")
        report.warning(
            "ipVersion",
            "an internal load balancer is made with an IPv4 address: the cloud has no other ones, and the documents name none",
            `remove ${keyOf("ipVersion")}, or use ${keyOf("addressType")}: "internet" with IPv6`,
            { code: "annotation-effect" },
        );
    else
        report.warning(
            "ipVersion",
            "only clients with IPv6 can reach the address",
            "make sure that all clients have IPv6",
            { code: "annotation-effect" },
        );
    return report.diagnostics;
};

/** An internal load balancer needs a vSwitch; where the Service names none, one of the cluster's is taken. */
export const vswitch: Rule = ({ settings, attempted, facts }) => {
    if (settings.addressType !== "intranet" || attempted.has("vswitchId") || attempted.has("id")) return [];
    const source = clbDocument("Create an internal CLB instance");
    if ((facts.vswitches ?? []).length > 0 || facts.offline === true)
        return [
            diagnostic({
                code: "annotation-effect",
                severity: "warning",
                about: "addressType",
                cause: `no vSwitch is named, so that one of the cluster's is taken and kept${facts.offline === true ? "; a run is refused where the cluster says none" : ""}`,
                remedy: `name one with ${keyOf("vswitchId")}`,
                source,
            }),
        ];
    return [
        diagnostic({
            code: "annotation-companion",
            severity: "error",
            about: "addressType",
            cause: `"intranet" needs ${keyOf("vswitchId")}, because nothing is known of the cluster's vSwitches`,
            remedy: `add ${keyOf("vswitchId")}, or add vswitches to the facts about the cluster: ack-loadbalancer doctor lists what the cluster says, and aliyun vpc DescribeVSwitches --VpcId <vpc> what the VPC has`,
            source,
        }),
    ];
};

import { entry, needs, preset, row, rows, undocumented } from "../row";
import { nlbDocument } from "../../../schema/documents";
import { anyCase, nlbGroupPorts, onOff, oneOf } from "../codecs";
import { clbBackendRows } from "../clb/backend";

export const nlbBackendRows = rows("backend", "v2.5.0", nlbDocument, {
    backendLabel: { ...clbBackendRows.backendLabel, since: "v2.5.0" },
    removeUnscheduledBackend: { ...clbBackendRows.removeUnscheduledBackend, since: "v2.5.0" },
    backendType: { ...clbBackendRows.backendType, since: "v2.5.0", api: "AddServersToServerGroup ServerType" },
    serverGroupType: entry(preset(anyCase(oneOf("Instance", "Ip")), "Instance"), "Configure Server Group Type", {
        since: "v2.8.0",
        onChange: "server group is replaced",
        api: "CreateServerGroup ServerGroupType",
        doc:
            "Whether server groups hold instances and network interfaces (`Instance`) or addresses (`Ip`). Pods " +
            "outside the VPC, at the edge for instance, can be reached as addresses only.",
    }),
    backendIpVersion: entry(anyCase(oneOf("ipv4", "ipv6", "dualstack")), undocumented("backend-ip-version"), {
        defaults: [{ value: "ipv4" }],
        companions: [
            needs("ipVersion", "only such a load balancer has IPv6 addresses to pass on from", {
                equals: "DualStack",
                when: "ipv6",
            }),
        ],
        since: "v2.9.1",
        onChange: "server group is replaced",
        api: "CreateServerGroup AddressIPVersion, UpdateServerGroupAttribute IpVersionAffinityMode",
        doc:
            "Which addresses of pods are backends: IPv4 ones, IPv6 ones, or both, each for the clients of its " +
            "version.",
    }),
    defaultWeight: { ...clbBackendRows.defaultWeight, since: "v2.5.0", api: "AddServersToServerGroup Weight" },
    vgroupPort: row(nlbGroupPorts, "ServerGroupId", "Reuse an Existing Server Group", {
        companions: [needs("id", "only a reused instance has server groups of yours")],
        since: "v2.9.1",
        onChange: "create-only",
        doc:
            "Use these existing server groups for these Service ports. Groups made for another Service cannot be " +
            "used.",
        reference: true,
    }),
    weight: {
        ...clbBackendRows.weight,
        since: "v2.9.1",
        api: "UpdateServerGroupServersAttribute Weight",
        source: nlbDocument("Configure Service Traffic Weight"),
    },
    ignoreWeightUpdate: {
        ...clbBackendRows.ignoreWeightUpdate,
        type: anyCase(onOff),
        api: "UpdateServerGroupServersAttribute Weight",
        source: nlbDocument("Ignore Backend Server Weight Updates"),
    },
});

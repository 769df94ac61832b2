/** Annotations of the CLB instance: how it is named, grouped, protected and shown. */

import { rows, undocumented } from "../row";
import { clbDocument } from "../../schema/documents";
import { anything, hostname, identifier, instanceName, onOff, oneOf, tags } from "../codecs";

export const administration = rows("instance", {
    additionalResourceTags: {
        type: tags,
        since: "v1.9.3",
        onChange: "in place",
        api: "TagResources",
        doc: "Tags for the instance. They replace tags of the same key that were set by hand.",
        source: clbDocument("Add tags to the CLB instance"),
    },
    name: {
        type: instanceName,
        since: "v1.9.3.313-g748f81e-aliyun",
        onChange: "in place",
        api: "CreateLoadBalancer LoadBalancerName, SetLoadBalancerName",
        doc: "The name of the instance. By default the name is derived from the uid of the Service.",
        source: clbDocument("Set the CLB instance name"),
    },
    resourceGroupId: {
        type: identifier("rg-", "a resource group id"),
        since: "v1.9.3.313-g748f81e-aliyun",
        onChange: "create-only",
        api: "CreateLoadBalancer ResourceGroupId",
        doc: "The resource group that the instance belongs to.",
        source: clbDocument("Assign the CLB instance to a resource group"),
        reference: true,
    },
    deleteProtection: {
        type: onOff,
        defaults: [{ value: "on" }],
        since: "v1.9.3.313-g748f81e-aliyun",
        onChange: "in place",
        api: "SetLoadBalancerDeleteProtection DeleteProtection",
        doc: "Whether the cloud refuses to delete the instance. Deleting the Service still deletes it: the protection is then switched off first.",
        source: clbDocument("Enable deletion protection"),
    },
    modificationProtection: {
        type: oneOf("ConsoleProtection", "NonProtection"),
        defaults: [{ value: "ConsoleProtection" }],
        since: "v1.9.3.313-g748f81e-aliyun",
        onChange: "in place",
        api: "SetLoadBalancerModificationProtection ModificationProtectionStatus",
        doc: "Whether the console refuses changes to the instance.",
        source: clbDocument("Enable configuration modification protection"),
    },
    preserveLbOnDelete: {
        type: anything,
        since: "v2.10.0",
        onChange: "on deletion",
        api: "UntagResources instead of DeleteLoadBalancer",
        doc: "Any text keeps the instance when the Service is deleted; its ownership tags are then removed. Leave the annotation out to delete the instance with the Service.",
        source: clbDocument("Preserve the CLB instance when deleting a Service"),
    },
    hostname: {
        type: hostname,
        companions: [
            {
                field: "protocolPort",
                severity: "warning",
                because:
                    "behind TCP and UDP listeners a pod that reaches itself through the load balancer may get no answer",
            },
        ],
        since: "v2.3.0",
        onChange: "status only",
        api: "status.loadBalancer.ingress[0].hostname of the Service",
        doc: "Show this name instead of the address as the external address of the Service, so that traffic from within the cluster passes through the load balancer. No domain is registered or bound.",
        source: clbDocument("Set a hostname for the Service"),
    },
    externalIpType: {
        type: oneOf("eip"),
        since: "v1.9.3",
        onChange: "status only",
        api: "status.loadBalancer.ingress of the Service",
        doc: "Show the elastic IP addresses that are associated with the instance as the external addresses of the Service. While there are none, the address of the instance is shown. `hostname` takes precedence.",
        ...undocumented("external-ip-type"),
    },
});

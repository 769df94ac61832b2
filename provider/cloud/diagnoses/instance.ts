import { CCM_SOURCE } from "../../schema/documents";
import { ANNOTATIONS_DOCUMENT, CLB_API, CLB_QUOTAS, diagnosis, FAQ, FAQ_REUSE } from "./row";

const changed = (annotation: string, property: string): string =>
    `${annotation} was changed; the ${property} of a load balancer is fixed when it is created.`;

const RECREATE = "or delete the Service and create it again; its address changes.";

/** Errors about the load balancer: reuse, attributes fixed at creation, billing. */
export const instanceErrors = [
    diagnosis("load-balancer-lost", FAQ, {
        messages: [
            /not able to find load ?balancer named/i,
            /can not find load ?balancer, but it'?s defined in service/i,
        ],
        cause:
            "The Service's status names a load balancer that is not known: it was deleted, or " +
            "alibaba-cloud-loadbalancer-id was removed from a Service that reused it.",
        remedy:
            "Look for the load balancer by the Service's EXTERNAL-IP in its region. Gone and the Service unused: " +
            "delete the Service. Made in the console: set alibaba-cloud-loadbalancer-id again. Made by CCM: check " +
            "that it has the tag kubernetes.do.not.delete and add it if not.",
    }),
    diagnosis("load-balancer-gone", CLB_API, {
        codes: ["InvalidLoadBalancerId.NotFound", "ResourceNotFound.loadBalancer"],
        messages: [/specified loadbalancerid does not exist/i],
        cause: "There is no load balancer with this id in this region.",
        remedy:
            "Check alibaba-cloud-loadbalancer-id and the region. If the load balancer was deleted, run pulumi " +
            "refresh, then pulumi up: it is made again, with a new address.",
    }),
    diagnosis("reuse-of-created", FAQ, {
        messages: [
            /can ?not be reused(?!, service has been associated)/i,
            /can not reuse load ?balancer created by kubernetes/i,
        ],
        cause:
            "alibaba-cloud-loadbalancer-id names a load balancer that CCM created for a Service; such an instance " +
            "is deleted with its Service and cannot be shared.",
        remedy:
            "For a new Service name a load balancer that was made in the console or by code. If the Service already " +
            "has an address, remove the annotation, or correct it to the load balancer with that address.",
    }),
    diagnosis("rebound", FAQ, {
        messages: [/service has been associated with (?:ip|dnsname) .* (?:cannot|can not) be bound to/i],
        cause:
            "alibaba-cloud-loadbalancer-id of a Service that already has a load balancer was changed; a Service " +
            "stays with its load balancer.",
        remedy: "Put the former id back. To move to another load balancer, delete the Service and create it again.",
    }),
    diagnosis("address-type-fixed", FAQ, {
        messages: [/can not change load ?balancer addresstype once created/i],
        cause: changed("alibaba-cloud-loadbalancer-address-type", "type"),
        remedy: `Put the former value back, ${RECREATE}`,
    }),
    diagnosis("address-ip-version-fixed", ANNOTATIONS_DOCUMENT, {
        messages: [/can not change load ?balancer addressipversion once created/i],
        cause: changed("alibaba-cloud-loadbalancer-ip-version", "IP version"),
        remedy: `Put the former value back, ${RECREATE}`,
    }),
    diagnosis("zone-fixed", ANNOTATIONS_DOCUMENT, {
        messages: [/can not change .*zone.* once created/i],
        cause:
            "alibaba-cloud-loadbalancer-master-zoneid or alibaba-cloud-loadbalancer-slave-zoneid was changed; the " +
            "zones of a load balancer are fixed when it is created.",
        remedy: `Put the former values back, ${RECREATE}`,
    }),
    diagnosis("network-type-fixed", CCM_SOURCE, {
        messages: [/can not change .*network ?type once created/i],
        cause: changed("alibaba-cloud-loadbalancer-network-type", "network"),
        remedy: "Remove alibaba-cloud-loadbalancer-network-type: load balancers are made in VPCs only.",
    }),
    diagnosis("address-fixed", ANNOTATIONS_DOCUMENT, {
        messages: [/can not change (?:load ?balancer )?(?:ip|address) once created/i],
        cause: changed("alibaba-cloud-loadbalancer-ip", "address"),
        remedy: "Put the former address back, or delete the Service and create it again.",
    }),
    diagnosis("resource-group-fixed", FAQ, {
        messages: [/can not change resourcegroupid once created/i],
        cause: changed("alibaba-cloud-loadbalancer-resource-group-id", "resource group"),
        remedy: "Remove alibaba-cloud-loadbalancer-resource-group-id, or put the former value back.",
    }),
    diagnosis("billing-fixed", FAQ, {
        messages: [
            /instancechargetype of load ?balancer is paybyclcu/i,
            /does not have permission modify instancechargetype to spec/i,
        ],
        cause:
            "A load balancer that is billed by usage (PayByCLCU) cannot be turned into one that is billed by " +
            "specification (PayBySpec).",
        remedy:
            "Remove alibaba-cloud-loadbalancer-spec, and set alibaba-cloud-loadbalancer-instance-charge-type to " +
            "PayByCLCU or remove it.",
    }),
    diagnosis("shared-instance-discontinued", FAQ, {
        codes: ["ShareSlbHaltSales"],
        messages: [/share instance has been discontinued/i],
        cause:
            "A shared-resource instance was asked for, and those are no longer sold. CCM versions from before " +
            "performance-guaranteed instances were the default ask for them.",
        remedy:
            "Set compatibility to a newer CCM version (the default is the newest). Where an old one must stay, set " +
            "alibaba-cloud-loadbalancer-spec, for instance slb.s1.small; and upgrade CCM if it serves the Service.",
    }),
    diagnosis("deletion-protected", ANNOTATIONS_DOCUMENT, {
        // Not as part of the name of a call, such as SetLoadBalancerDeleteProtection.
        codes: [/\bDelet(?:e|ion)Protection/],
        messages: [/\bdelet(?:e|ion) ?protection\b.*\b(?:on|enabled|open)/i],
        cause: "The load balancer is protected against deletion.",
        remedy:
            "If it is to go, switch its deletion protection off in the console and run again; with a Service that " +
            'is still there, set alibaba-cloud-loadbalancer-delete-protection: "off" and run pulumi up first. Or ' +
            "keep it with alibaba-cloud-loadbalancer-preserve-lb-on-delete.",
    }),
    diagnosis("modification-protected", ANNOTATIONS_DOCUMENT, {
        codes: [/\bModificationProtection/],
        cause: "The load balancer is protected against modification in a way that stops API calls too.",
        remedy:
            "Set alibaba-cloud-loadbalancer-modification-protection: NonProtection, or take the protection off " +
            "where it was put on.",
    }),
    diagnosis("load-balancer-quota", CLB_QUOTAS, {
        codes: ["ORDER.QUANTITY_INVALID", "ORDER.QUOTA_EXCEEDED", "OverQuota", "InsufficientCapacity"],
        messages: [/quota of .*(?:loadbalancers_num|instances_num)/i, /quota of load ?balancers? is exceeded/i],
        cause: "The account has as many load balancers in this region as its quota allows.",
        remedy:
            "Raise the quota in Quota Center, delete what is not used, or let several Services share a load " +
            "balancer (alibaba-cloud-loadbalancer-id).",
    }),
    diagnosis("tag-quota", CLB_QUOTAS, {
        codes: ["TagCountLimit", "TagCreateCountLimit", "QuotaExceeded.TagsPerResource"],
        cause: "The load balancer has as many tags as it may have.",
        remedy:
            "Name fewer tags in alibaba-cloud-loadbalancer-additional-resource-tags, or remove tags that are not " +
            "needed.",
    }),
    diagnosis("reuse-failed", FAQ_REUSE, {
        messages: [/load ?balancer\b.*\b(?:used by|belongs to) (?:the )?api ?server/i],
        cause: "The load balancer of the cluster's API server cannot carry Services.",
        remedy:
            "Name another load balancer in alibaba-cloud-loadbalancer-id: made by you, in the cluster's VPC if it " +
            "is internal, and not one that CCM or ACK made.",
    }),
];

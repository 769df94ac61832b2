import { ipVersionOf } from "../annotations";
import { familyOf } from "../schema/cidr";
import type { Service } from "../kubernetes/service/service";
import { admitsAll } from "../kubernetes/service/source-ranges";
import { managesListeners } from "./reuse";

/**
 * The address ranges that may connect, of the IP version of the load balancer, without duplicates. Empty = everyone may.
 *
 * A range that holds every address restricts no client; a list that is named by annotation takes the place of the ranges. Where listeners are not managed there is nothing to restrict.
 */
export function sourceRanges(service: Service): string[] {
    const { settings } = service;
    if (!managesListeners(service) || (settings.aclStatus === "on" && settings.aclId !== undefined)) {
        return [];
    }
    const version = ipVersionOf(settings);
    const ranges = [...new Set(service.loadBalancerSourceRanges.filter((range) => familyOf(range) === version))];
    return admitsAll(ranges, version) ? [] : ranges;
}

/** Whether the listeners let only the Service's source ranges in. */
export function restrictsSources(service: Service): boolean {
    return sourceRanges(service).length > 0;
}

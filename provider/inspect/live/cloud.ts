/** Reads a Service's load balancer with everything on it, and the health that the cloud sees. */

import { type Cloud, CloudError, findLoadBalancersByTag, nlb, readQuotas } from "../../alicloud";
import { instancesOf } from "../../alicloud/instances";
import type { ServiceObject } from "../../kubernetes";
import { defaultLoadBalancerName, OWNER_TAG } from "../../model/names";
import { firstLine } from "../../net";
import { observeLoadBalancer } from "../../observe/load-balancer";
import type { Settings } from "../../schema/settings";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { CloudAccess } from "../doctor/cloud";
import { readHealth } from "./health";
import type { LiveCloud } from "./model";

/** Which load balancer to look for. */
export interface CloudQuery {
    readonly object: ServiceObject;
    readonly type: LoadBalancerType;
    readonly settings: Pick<Settings, "id" | "name">;
}

/** What the cloud says of a Service's load balancer. Failures are results: the rest of the Service is worth looking at all the same. */
export async function readCloud(access: CloudAccess, query: CloudQuery): Promise<LiveCloud> {
    if ("failure" in access) return failed(access.failure);
    const { cloud } = access;
    try {
        const api = instancesOf(cloud, query.type);
        const [id] = query.settings.id === undefined ? await findInstances(cloud, query) : [query.settings.id];
        const found = id === undefined ? undefined : await observeLoadBalancer(api, id);
        if (found === undefined) return { kind: "missing", lookedFor: query.settings.id ?? markOf(query.object) };
        const serverGroups = await Promise.all(
            found.serverGroups.map(async (group) => ({ ...group, backends: await api.listBackends(group.id) })),
        );
        const instance = { ...found, serverGroups };
        const [health, quotas] = await Promise.all([
            readHealth(cloud, query.type, instance),
            readQuotas(cloud, [query.type]),
        ]);
        return { kind: "found", instance, health, quotas };
    } catch (error) {
        return failed(error);
    }
}

/** By the mark that its maker leaves on an instance: the tag of a CLB, the name of an NLB. */
async function findInstances(cloud: Cloud, { object, type, settings }: CloudQuery): Promise<string[]> {
    if (type === "clb")
        return (await findLoadBalancersByTag(cloud, { [OWNER_TAG]: markOf(object) })).map(({ id }) => id);
    const named = await nlb.findNlbLoadBalancers(cloud, settings.name ?? markOf(object));
    return named.filter(({ tags }) => tags[OWNER_TAG] === markOf(object)).map(({ id }) => id);
}

const markOf = ({ metadata }: ServiceObject): string => defaultLoadBalancerName(metadata.uid ?? "");

const failed = (error: unknown): LiveCloud =>
    error instanceof CloudError
        ? { kind: "failed", code: error.code, message: error.detail }
        : { kind: "failed", code: "", message: firstLine(error) };

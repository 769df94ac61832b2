import {
    addBackends,
    type Cloud,
    CloudError,
    describeServerGroup,
    findEnis,
    nlb,
    removeBackends,
    setBackends,
} from "../../alicloud";
import type { GroupApi } from "../backends";
import { openPlace, type Place } from "./place";

/** Kind of a server group: a CLB's vServer group, or an NLB's group of instances and interfaces, or of addresses. */
export type GroupType = "VServer" | "Instance" | "Ip";

/** Codes that say that no further backend fits. Source: SLB API, AddVServerGroupBackendServers; CCM retries after removing on the same one; NLB API, AddServersToServerGroup. */
const QUOTA_CODE = /BackendServerNumberOverLimit|QuotaLimit|QuotaExceed/i;

/** The server groups where an object is, as carrying out a plan needs them. */
export const connectGroup = (place: Place, type: GroupType): GroupApi => groupApi(openPlace(place), type);

/** The server groups that a client reaches, as carrying out a plan needs them. */
export function groupApi(cloud: Cloud, type: GroupType): GroupApi {
    return {
        ...(type === "VServer" ? clbGroup(cloud) : nlbGroup(cloud)),
        findEnis: async (ips) =>
            new Map([...(await findEnis(cloud, undefined, ips))].map(([ip, eni]) => [ip, eni.eniId])),
        isQuotaError: (error) => error instanceof CloudError && QUOTA_CODE.test(error.code),
        isRefusal: (error) =>
            error instanceof nlb.JobError ||
            (error instanceof CloudError &&
                error.httpStatus !== undefined &&
                error.httpStatus >= 400 &&
                error.httpStatus < 500),
    };
}

type Membership = Pick<GroupApi, "describe" | "name" | "add" | "setWeights" | "remove">;

function clbGroup(cloud: Cloud): Membership {
    return {
        describe: async (id) => (await describeServerGroup(cloud, id))?.backends,
        name: async (id) => (await describeServerGroup(cloud, id))?.name,
        add: (id, servers) => addBackends(cloud, id, servers),
        setWeights: (id, servers) => setBackends(cloud, id, servers),
        remove: (id, servers) => removeBackends(cloud, id, servers),
    };
}

function nlbGroup(cloud: Cloud): Membership {
    return {
        describe: (id) => nlb.listServers(cloud, id),
        name: async (id) => (await nlb.findServerGroupsById(cloud, [id]))[0]?.name,
        add: (id, servers) => nlb.addServers(cloud, id, servers),
        setWeights: (id, servers) => nlb.updateServers(cloud, id, servers),
        remove: (id, servers) => nlb.removeServers(cloud, id, servers),
    };
}

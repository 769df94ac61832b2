import { type Cloud, CloudError, findEnis } from "../../cloud";
import { diagnose } from "../../cloud/diagnose";
import {
    addBackends,
    BACKENDS_PER_CALL,
    describeServerGroup,
    removeBackends,
    setBackends,
} from "../../clb/server-group";
import * as nlb from "../../nlb";
import type { GroupApi } from "../../backends/apply";
import { openPlace, type Place } from "./handler";

/** Type of a server group: a CLB's vServer group, or an NLB's group of instances and interfaces, or of addresses. */
export type GroupType = "VServer" | "Instance" | "Ip";

/** Codes of a full group. Source: SLB API, AddVServerGroupBackendServers, CCM, and NLB API, AddServersToServerGroup. */
const QUOTA_CODE = /BackendServerNumberOverLimit|QuotaLimit|QuotaExceed/i;

export const connectGroup = (place: Place, type: GroupType): GroupApi => groupApi(openPlace(place), type);

export function groupApi(cloud: Cloud, type: GroupType): GroupApi {
    return {
        ...(type === "VServer" ? clbGroup(cloud) : nlbGroup(cloud)),
        findEnis: (ips, vpcId) => findEnis(cloud, ips, vpcId),
        isQuotaError: (error) => error instanceof CloudError && QUOTA_CODE.test(error.code),
        isRefusal: (error) => {
            const status = error instanceof CloudError ? (error.httpStatus ?? 0) : 0;
            return error instanceof nlb.JobError || (status >= 400 && status < 500);
        },
        refusalOfServer: (error) => {
            if (!(error instanceof CloudError)) return undefined;
            const { code, detail } = error;
            return diagnose({ code, message: detail })?.code === "backend-not-running"
                ? `${code}: ${detail}`
                : undefined;
        },
    };
}

type Membership = Pick<GroupApi, "describe" | "name" | "add" | "setWeights" | "remove" | "perCall">;

const clbGroup = (cloud: Cloud): Membership => ({
    describe: async (id) => (await describeServerGroup(cloud, id))?.backends,
    name: async (id) => (await describeServerGroup(cloud, id))?.name,
    perCall: BACKENDS_PER_CALL,
    add: (id, servers) => addBackends(cloud, id, servers),
    setWeights: (id, servers) => setBackends(cloud, id, servers),
    remove: (id, servers) => removeBackends(cloud, id, servers),
});

const nlbGroup = (cloud: Cloud): Membership => ({
    describe: (id) => nlb.listServers(cloud, id),
    name: async (id) => (await nlb.findServerGroupsById(cloud, [id]))[0]?.name,
    perCall: nlb.SERVERS_PER_CALL,
    add: (id, servers) => nlb.addServers(cloud, id, servers),
    setWeights: (id, servers) => nlb.updateServers(cloud, id, servers),
    remove: (id, servers) => nlb.removeServers(cloud, id, servers),
});

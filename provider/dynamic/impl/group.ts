import type { GroupApi } from "../../apply";
import { addBackends, CloudError, createCloud, describeServerGroup, findEnis, removeBackends, setBackends } from "../../cloud";

/** Codes that say that no further backend fits. Source: SLB API, AddVServerGroupBackendServers; CCM retries after removing on the same one. */
const QUOTA_CODE = /BackendServerNumberOverLimit|QuotaLimit|QuotaExceed/i;

/** The cloud's vServer groups, as carrying out a plan needs them. */
export function connectGroup(region: string | undefined): GroupApi {
    const cloud = createCloud(region === undefined ? {} : { region });
    return {
        describe: async (id) => (await describeServerGroup(cloud, id))?.backends,
        add: (id, servers) => addBackends(cloud, id, servers),
        setWeights: (id, servers) => setBackends(cloud, id, servers),
        remove: (id, servers) => removeBackends(cloud, id, servers),
        findEnis: async (ips) => new Map([...(await findEnis(cloud, undefined, ips))].map(([ip, eni]) => [ip, eni.eniId])),
        isQuotaError: (error) => error instanceof CloudError && QUOTA_CODE.test(error.code),
        isRefusal: (error) => error instanceof CloudError && error.httpStatus !== undefined && error.httpStatus >= 400 && error.httpStatus < 500,
    };
}

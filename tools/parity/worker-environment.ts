import { environment } from "../../lab/environment";

/**
 * The environment of a process that has the engine inside and runs one program after the other: it waits neither where a plugin pauses for the cloud nor for write quotas, which
 * so many runs in a row would use up.
 *
 * @param variables of its lab
 */
export function workerEnvironment(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
    return {
        ...environment(variables, process.env),
        LAB_ALICLOUD_SLEEP: "0",
        ACK_LOADBALANCER_WRITE_QUOTAS: "slb=1000000,nlb=1000000",
    };
}

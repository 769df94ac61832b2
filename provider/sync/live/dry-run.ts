/** A pass that prints what it would change. */
import { formatBackendKey, backendOf } from "../../backend/member";
import type { BackendIdentity, BackendServer } from "../../model/backend";
import type { ClusterWriter, OpenGroups } from "../ports";

/** Reads go to the cloud; writes are printed. */
export function dryGroups(groups: OpenGroups, print: (line: string) => void): OpenGroups {
    return (place, type, pause) => {
        const write =
            (verb: string, weigh: boolean) =>
            (id: string, servers: readonly (BackendIdentity & Partial<BackendServer>)[]): Promise<void> => {
                for (const server of servers)
                    print(
                        `${place.region} ${id}: ${verb} ${formatBackendKey(backendOf(server))}${weigh ? ` weight ${server.weight ?? ""}` : ""}`,
                    );
                return Promise.resolve();
            };
        return {
            ...groups(place, type, pause),
            add: write("add", true),
            setWeights: write("set", true),
            remove: write("remove", false),
        };
    };
}

/** Writes nothing to the cluster. */
export const silentWriter: ClusterWriter = {
    writeStatus: () => Promise.resolve(),
    record: () => Promise.resolve(),
    setCondition: () => Promise.resolve(),
};

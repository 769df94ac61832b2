/** Writers of the cluster: statuses, events and conditions of pods, and those of a dry run, which only print. */
import { type Client, unlessGone } from "../../cluster/client";
import { recordEvent } from "../../cluster/event";
import { type Backend, formatBackendKey } from "../../schema/backend";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../binding/spec";
import type { OpenGroups } from "../cloud";
import type { ClusterWriter } from "../publisher";
import { SYNC_COMPONENT } from "../report";

/** Returns a writer through a client. An event that fails is passed to `failed`. */
export function clusterWriter(client: Client, identity: string, failed: (error: unknown) => void): ClusterWriter {
    return {
        async writeStatus({ metadata }, status) {
            const { namespace = "default", name } = metadata;
            const action = `patch status of servergroupbinding ${namespace}/${name}`;
            const path = ["apis", API_GROUP, API_VERSION, "namespaces", namespace, BINDING_PLURAL, name, "status"];
            await unlessGone(client.mergePatch(action, path, { status }));
        },
        record: (subject, event) => recordEvent(client, subject, event, SYNC_COMPONENT, identity).catch(failed),
        async setCondition({ metadata }, condition) {
            const { namespace = "default", name, uid } = metadata;
            const action = `patch status of pod ${namespace}/${name}`;
            const path = ["api", "v1", "namespaces", namespace, "pods", name, "status"];
            const conditions = [{ ...condition, lastTransitionTime: new Date().toISOString() }];
            await unlessGone(client.strategicPatch(action, path, { metadata: { uid }, status: { conditions } }));
        },
    };
}

/** Returns server groups whose writes are printed. */
export function dryGroups(groups: OpenGroups, print: (line: string) => void): OpenGroups {
    return (place, type, pause) => {
        const write =
            (verb: "add" | "set" | "remove") =>
            async (id: string, backends: readonly Backend[]): Promise<void> => {
                for (const backend of backends) {
                    const weight = verb === "remove" ? "" : ` weight ${backend.weight}`;
                    print(`${place.region} ${id}: ${verb} ${formatBackendKey(backend)}${weight}`);
                }
            };
        return { ...groups(place, type, pause), add: write("add"), setWeights: write("set"), remove: write("remove") };
    };
}

const nothing = () => Promise.resolve();
export const silentWriter: ClusterWriter = { writeStatus: nothing, record: nothing, setCondition: nothing };

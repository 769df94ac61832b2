/** Kinds of backends that what a run has made tells of. Pure. */

import { isVirtualNode } from "../../provider/backends";
import { isAddress } from "../../provider/schema/backend";
import { sameService } from "../../provider/schema/names";
import { buildClb, buildNlb, groupName } from "../../provider/plan/desired";
import { nodePortIn } from "../../provider/service/ports";
import { type BackendKind, UNKNOWN_CLUSTER } from "./facts";
import { markOf, ownerOf } from "./groups";
import type { InspectedService } from "./model";

type Made = Pick<InspectedService, "object" | "service" | "type" | "cloud" | "nodes">;

const KINDS: readonly BackendKind[] = ["ecs", "eni"];

/** Returns the kinds by the names of the Service's server groups, and by its members. */
export function backendKindsOf(made: Made): Readonly<Record<"named" | "members", readonly BackendKind[]>> {
    const { object, service, type, cloud, nodes } = made;
    const owner = ownerOf(made);
    if (service === undefined || cloud.kind !== "found") return { named: [], members: [] };
    const { serverGroups } = cloud.instance;
    const namesFor = (backendType: BackendKind): string[] => {
        const one = { ...service, settings: { ...service.settings, backendType } };
        const { serverGroups: groups } =
            type === "nlb" ? buildNlb(one, UNKNOWN_CLUSTER) : buildClb(one, UNKNOWN_CLUSTER);
        return groups.flatMap((group) => {
            const nodePort = group.ports[0] && nodePortIn(object.spec?.ports, group.ports[0]);
            return owner === undefined || group.joined !== undefined ? [] : groupName(group, nodePort, owner);
        });
    };
    const [ofNodes, ofPods] = [namesFor("ecs"), namesFor("eni")];
    const mark = markOf(made);
    const addresses = new Set(nodes.flatMap(({ status }) => (status?.addresses ?? []).map((one) => one.address)));
    // Pods on virtual nodes are members with either kind.
    const isAnyKind = nodes.some(isVirtualNode);
    return {
        named: KINDS.filter((kind) => {
            const [own, others] = kind === "ecs" ? [ofNodes, ofPods] : [ofPods, ofNodes];
            return serverGroups.some(({ name }) => own.includes(name) && !others.includes(name));
        }),
        members: serverGroups
            .flatMap(({ backends = [] }) => backends)
            .filter((member) => sameService(member.mark, mark))
            .flatMap((member): BackendKind[] => {
                if (!isAddress(member) || addresses.has(member.address)) return ["ecs"];
                return isAnyKind ? [] : ["eni"];
            }),
    };
}

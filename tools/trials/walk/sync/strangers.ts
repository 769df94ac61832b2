/** Bindings of another namespace that want the group of Service shop/web. */
import type { BindingSpec } from "../../../../provider/sync/binding/spec";
import type { BindingObject } from "../../../../provider/sync/binding/object";
import { endpoint, MARK, podSpec, service, slice, spec } from "../../../../test/support/sync-world";

const OWN = "k8s/30666/mine/evil/c1";

const SPECS: readonly BindingSpec[] = [
    spec({ serviceName: "mine", nodePort: 30666, ownershipMark: OWN }),
    podSpec({ serviceName: "mine", ownershipMark: OWN }),
    spec({ serviceName: "mine", ownershipMark: MARK }),
    spec(),
    podSpec({ allowEmpty: true }),
    spec({
        serviceName: "mine",
        ownershipMark: OWN,
        serverGroup: { id: "rsp-1", type: "VServer", userManaged: true },
    }),
    spec({ serviceName: "mine", ownershipMark: OWN.replace(/c1$/, "c2"), allowEmpty: true }),
    spec({ serviceName: "mine", ownershipMark: OWN, region: "CN-HANGZHOU" }),
];

/** One of them, older or younger than that of the Service. @param chance a number from 0 to 1 */
export function strangersBinding(chance: number): BindingObject {
    const older = (chance * 100) % 1 < 0.5;
    return {
        metadata: {
            name: "mine",
            namespace: "evil",
            uid: "uid-mine",
            generation: 1,
            creationTimestamp: older ? "2020-01-01T00:00:00Z" : "2030-01-01T00:00:00Z",
        },
        spec: SPECS[Math.floor(chance * SPECS.length)],
    };
}

/** The Service that is theirs, with a pod behind it on a node. */
export function strangersService(on: string) {
    const { metadata, ...rest } = slice(endpoint("10.66.6.6", on));
    return {
        service: { ...service({ nodePort: 30666 }), metadata: { name: "mine", namespace: "evil", uid: "uid-mine" } },
        slice: {
            ...rest,
            metadata: { ...metadata, namespace: "evil", labels: { "kubernetes.io/service-name": "mine" } },
        },
    };
}

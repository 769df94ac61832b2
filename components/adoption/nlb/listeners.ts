import type { NlbDesired } from "../../../provider/plan/desired";
import type { NlbListener } from "../../../provider/nlb/listener";
import { portText } from "../../../provider/schema/listener-address";
import { sameOwner } from "../../../provider/schema/names";
import type { ObservedNlb, ObservedNlbListener } from "../../../provider/schema/observed";
import { sharePort } from "../../../provider/schema/listener-address";
import { difference, type Difference } from "../../../provider/plan/adoption";
import { nlbListenerAttributes } from "../../nlb/listener";
import { type AdoptionSpec, settledAttributes, missingObject, refusal, unmanagedObject } from "../spec";
import { compareNlbAttributes, observeNlbListener } from "./observe";

/** A listener that can be taken over, if it is there, and what of it is not as the Service says. */
export interface ComparedNlbListener {
    readonly key: string;
    /** Absent = it is created. */
    readonly id?: string;
    readonly keep: readonly string[];
    readonly differences: readonly Difference[];
}

/** Holds the listener that stands on a port, or on a range of ports, against the one that the Service wants there. */
export function compareNlbListener(
    spec: AdoptionSpec<NlbDesired>,
    observed: ObservedNlb,
    groupIds: Readonly<Record<string, string>>,
    model: NlbListener,
): ComparedNlbListener {
    const object = `listener ${model.protocol}:${portText(model)}`;
    const { key } = model;
    const found = observed.listeners.find((listener) => sharePort(listener, model));
    if (found === undefined) return { key, keep: [], differences: [missingObject(object)] };
    const problem = whyNot(spec, object, model, found);
    if (problem !== undefined) return { key, keep: [], differences: [problem] };
    const desired = settledAttributes({
        // The plugin would remove these from a listener, because the program does not set them.
        mss: "",
        tags: {},
        ...nlbListenerAttributes(model, spec.references.certId),
        serverGroupId: groupIds[model.serverGroup] ?? "(to be created)",
    });
    const { keep, differences } = compareNlbAttributes(object, desired, observeNlbListener(found));
    return { key, id: found.id, keep, differences: [...differences, ...compareCertificates(object, model, found)] };
}

function whyNot(
    { owner }: AdoptionSpec,
    object: string,
    model: NlbListener,
    { protocol, description, ...found }: ObservedNlbListener,
): Difference | undefined {
    const { port, endPort } = model;
    if (found.port !== port || found.endPort !== endPort) {
        return refusal(object, "ports", portText(found), portText(model));
    }
    if (protocol !== model.protocol) return refusal(object, "protocol", protocol, model.protocol);
    return description !== "" && !sameOwner(description, owner)
        ? refusal(object, "description", description, model.description)
        : undefined;
}

/** Certificates beside the listener's own are added and taken off by the run that takes over. */
function compareCertificates(
    object: string,
    { tls }: NlbListener,
    { additionalCertIds: observed }: ObservedNlbListener,
): Difference[] {
    const desired = tls?.additionalCertIds ?? [];
    const surplus = observed.filter((id) => !desired.includes(id));
    const absent = desired.filter((id) => !observed.includes(id));
    const managed = desired.length > 0;
    return [
        ...absent.map((id) =>
            difference({ verdict: "differs", object, attribute: `certificate ${id}`, observed: "-", desired: "there" }),
        ),
        ...surplus.map((id) =>
            managed
                ? difference({
                      verdict: "differs",
                      object,
                      attribute: `certificate ${id}`,
                      observed: "there",
                      desired: "-",
                  })
                : unmanagedObject(object, `certificate ${id}`),
        ),
    ];
}

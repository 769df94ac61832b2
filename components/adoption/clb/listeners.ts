import type { ObservedClb, ObservedClbListener } from "../../../provider/model/observed";
import { type ClbListener, portKey } from "../../../provider/model/clb";
import { sameOwner } from "../../../provider/model/names";
import { type Attributes, compareAttributes, difference, type Difference } from "../../../provider/plan/adoption";
import { listenerAttributes } from "../../clb/listener-attributes";
import { differingOptions } from "../../clb/listener-options";
import { observeListener } from "./observe";
import type { ClbDesired } from "../../../provider/builder";
import { missing, refused, unmanaged } from "../instance";
import { known, type AdoptionSpec as AnySpec } from "../spec";

type AdoptionSpec = AnySpec<ClbDesired>;

/** Key of the port that a listener takes up. */
export function listenerKeyOf({ protocol, port }: Pick<ObservedClbListener, "protocol" | "port">): string {
    return portKey({ port, protocol: protocol === "udp" ? "UDP" : "TCP" });
}

/** A listener that can be taken over, if it is there, and what of it is not as the Service says. */
export interface ComparedListener {
    readonly key: string;
    readonly id: Record<string, string>;
    readonly domainExtensions: Record<string, string>;
    readonly keep: readonly string[];
    readonly differences: readonly Difference[];
}

/** Holds the listener that stands on a port against the one that the Service wants there. */
export function compareListener(
    spec: AdoptionSpec,
    observed: ObservedClb,
    groupIds: Readonly<Record<string, string>>,
    model: ClbListener,
): ComparedListener {
    const object = `listener ${model.protocol}:${model.port}`;
    const found = observed.listeners.find((listener) => listenerKeyOf(listener) === model.key);
    const none: ComparedListener = { key: model.key, id: {}, domainExtensions: {}, keep: [], differences: [] };
    if (found === undefined) return { ...none, differences: [missing(object)] };
    if (found.protocol !== model.protocol) {
        return { ...none, differences: [refused(object, "protocol", found.protocol, model.protocol)] };
    }
    const { description } = found;
    if (description !== "" && !sameOwner(description, spec.owner)) {
        return { ...none, differences: [refused(object, "description", description, model.description)] };
    }
    const desired = known({
        ...attributesOf(spec, observed, model),
        serverGroupId: groupIds[model.serverGroup] ?? "(to be created)",
    });
    const attributes = compareAttributes(object, desired, observeListener(found)).map((one) =>
        harmless(model, one) ? difference({ ...one, verdict: "note" }) : one,
    );
    const options = differingOptions(model, found.attributes).map((one): Difference =>
        difference({
            verdict: "differs",
            object,
            attribute: one.option,
            observed: one.actual,
            desired: one.desired,
        }),
    );
    const domains = compareDomains(object, model, found.domainExtensions);
    return {
        key: model.key,
        id: { [model.key]: `${observed.id}:${found.protocol}:${found.port}` },
        domainExtensions: domains.ids,
        keep: attributes.map(({ attribute }) => attribute),
        differences: [...attributes, ...options, ...domains.differences, ...stopped(object, found.attributes)],
    };
}

/** A listener that redirects passes nothing on, so it needs no group, and the controller gives it none. */
function harmless(model: ClbListener, { attribute }: Difference): boolean {
    return model.forwardTo !== undefined && attribute === "serverGroupId";
}

/** What the plugin would be given for the listener; ids that are known only after their resource was made are left out. */
function attributesOf({ desired, references }: AdoptionSpec, { aclId }: ObservedClb, model: ClbListener): Attributes {
    const target = desired.listeners.find(({ key }) => key === model.forwardTo);
    const { access } = model;
    const named =
        access.status === "off"
            ? []
            : access.aclIds === undefined
              ? [aclId ?? "(to be created)"]
              : references.aclId === undefined
                ? access.aclIds
                : [references.aclId];
    return listenerAttributes(model, { aclIds: named, certId: references.certId, forwardPort: target?.port });
}

/** Domains are resources of their own: one with another certificate would change, so it is refused with the rest. */
function compareDomains(
    object: string,
    model: ClbListener,
    observed: readonly { readonly id: string; readonly domain: string; readonly certId: string }[],
) {
    const ids: Record<string, string> = {};
    const differences: Difference[] = [];
    for (const { domain, certId } of model.tls?.domains ?? []) {
        const found = observed.find((one) => one.domain === domain);
        if (found === undefined) {
            differences.push(
                difference({
                    verdict: "note",
                    object,
                    attribute: `domain ${domain}`,
                    observed: "-",
                    desired: "will be created",
                }),
            );
        } else if (found.certId !== certId) {
            differences.push(refused(object, `certificate of ${domain}`, found.certId, certId));
        } else {
            ids[`${model.key}/${domain}`] = found.id;
        }
    }
    const surplus = observed.filter(({ domain }) => model.tls?.domains.every((desired) => desired.domain !== domain));
    return {
        ids,
        differences: [...differences, ...surplus.map(({ domain }) => unmanaged(object, `domain ${domain}`))],
    };
}

function stopped(object: string, attributes: Readonly<Record<string, unknown>>): Difference[] {
    const status = String(attributes["Status"] ?? "");
    return status === "stopped"
        ? [
              difference({
                  verdict: "note",
                  object,
                  attribute: "status",
                  observed: "stopped",
                  desired: "running, from the next run with --refresh",
              }),
          ]
        : [];
}

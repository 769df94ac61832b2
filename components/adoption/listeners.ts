import type { Divergence } from "../../provider/model/adoption";
import type { ObservedClb } from "../../provider/model/observed";
import type { ClbListener } from "../../provider/model/clb/listener";
import { sameOwner } from "../../provider/model/names";
import { type Attributes, compareAttributes } from "../../provider/plan/adoption";
import { listenerAttributes } from "../clb/listener-attributes";
import { differingOptions } from "../clb/listener-options";
import { observeListener } from "./observe";
import { keyOf, known, type Wanted } from "./wanted";

/** A listener that can be taken over, if it is there, and what of it is not as the Service says. */
export interface ComparedListener {
    readonly key: string;
    readonly id: Record<string, string>;
    readonly domainExtensions: Record<string, string>;
    readonly keep: readonly string[];
    readonly divergences: readonly Divergence[];
}

/** Holds the listener that stands on a port against the one that the Service wants there. */
export function compareListener(
    wanted: Wanted,
    observed: ObservedClb,
    groupIds: Readonly<Record<string, string>>,
    model: ClbListener,
): ComparedListener {
    const object = `listener ${model.protocol}:${model.port}`;
    const found = observed.listeners.find((listener) => keyOf(listener) === model.key);
    const none: ComparedListener = { key: model.key, id: {}, domainExtensions: {}, keep: [], divergences: [] };
    if (found === undefined) {
        return {
            ...none,
            divergences: [{ verdict: "note", object, setting: "", cloud: "-", service: "will be created" }],
        };
    }
    if (found.protocol !== model.protocol) {
        return {
            ...none,
            divergences: [
                { verdict: "refused", object, setting: "protocol", cloud: found.protocol, service: model.protocol },
            ],
        };
    }
    const { description } = found;
    if (description !== "" && !sameOwner(description, wanted.owner)) {
        return {
            ...none,
            divergences: [
                { verdict: "refused", object, setting: "description", cloud: description, service: model.description },
            ],
        };
    }
    const wish = known({
        ...attributesOf(wanted, observed, model),
        serverGroupId: groupIds[model.serverGroup] ?? "(to be created)",
    });
    const attributes = compareAttributes(object, wish, observeListener(found)).map((one) =>
        harmless(model, one) ? { ...one, verdict: "note" as const } : one,
    );
    const options = differingOptions(model, found.attributes).map((one): Divergence => ({
        verdict: "differs",
        object,
        setting: one.option,
        cloud: one.actual,
        service: one.wish,
    }));
    const domains = compareDomains(object, model, found.domainExtensions);
    return {
        key: model.key,
        id: { [model.key]: `${observed.id}:${found.protocol}:${found.port}` },
        domainExtensions: domains.ids,
        keep: attributes.map(({ setting }) => setting),
        divergences: [...attributes, ...options, ...domains.divergences, ...stopped(object, found.attributes)],
    };
}

/** A listener that redirects passes nothing on, so it needs no group, and the controller gives it none. */
function harmless(model: ClbListener, { setting }: Divergence): boolean {
    return model.forwardTo !== undefined && setting === "serverGroupId";
}

/** What the plugin would be told of the listener; ids that are known only after their resource was made are left out. */
function attributesOf({ desired, references }: Wanted, { aclId }: ObservedClb, model: ClbListener): Attributes {
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
    standing: readonly { readonly id: string; readonly domain: string; readonly certId: string }[],
) {
    const ids: Record<string, string> = {};
    const divergences: Divergence[] = [];
    for (const { domain, certId } of model.tls?.domains ?? []) {
        const found = standing.find((one) => one.domain === domain);
        if (found === undefined) {
            divergences.push({
                verdict: "note",
                object,
                setting: `domain ${domain}`,
                cloud: "-",
                service: "will be created",
            });
        } else if (found.certId !== certId) {
            divergences.push({
                verdict: "refused",
                object,
                setting: `certificate of ${domain}`,
                cloud: found.certId,
                service: certId,
            });
        } else {
            ids[`${model.key}/${domain}`] = found.id;
        }
    }
    const unwanted = standing.filter(({ domain }) => model.tls?.domains.every((wish) => wish.domain !== domain));
    return {
        ids,
        divergences: [
            ...divergences,
            ...unwanted.map(({ domain }): Divergence => ({
                verdict: "note",
                object,
                setting: `domain ${domain}`,
                cloud: "there",
                service: "stays, unmanaged",
            })),
        ],
    };
}

function stopped(object: string, attributes: Readonly<Record<string, unknown>>): Divergence[] {
    const status = String(attributes["Status"] ?? "");
    return status === "stopped"
        ? [{ verdict: "note", object, setting: "status", cloud: "stopped", service: "stays so until it is changed" }]
        : [];
}

/**
 * A look at the access control lists that a Service names, before anything is done with them.
 *
 * The cloud refuses a list that does not exist only when the listener is made or changed, after other objects were changed. It accepts one without entries, which
 * restricts no client, even as a whitelist. Source: "Configure CLB using annotations", access control list.
 */
import { type Acl, describeAcl } from "../../../alicloud";
import { type CheckResult, isUnknown } from "../values";
import { type AccountReference, openPlace } from "../place";

/** Inputs of the check. */
export interface AclCheckInputs {
    /** `namespace/name`. */
    readonly service: string;
    /** Ids of the lists. */
    readonly lists: readonly string[];
    /** Written by {@link check} and {@link read}: those of the lists that had no entries when they were looked at; absent = none. */
    readonly empty?: readonly string[];
    readonly region?: string;
    readonly account?: AccountReference;
}

/** Reads a list; undefined if there is none with the id. */
type Look = (id: string) => Promise<Acl | undefined>;

/** Looks at the lists that were not used before: a run that changes nothing makes no call. What was found is on record until a refresh looks again. */
export async function check(
    olds: Partial<AclCheckInputs>,
    news: AclCheckInputs,
    look: Look = lookIn(news),
): Promise<CheckResult<AclCheckInputs>> {
    const known = olds.lists ?? [];
    const fresh = isUnknown(news.region) ? [] : news.lists.filter((id) => !known.includes(id));
    const found = await Promise.all(fresh.map(async (id) => ({ id, acl: await look(id) })));
    const still = (olds.empty ?? []).filter((id) => news.lists.includes(id));
    return {
        inputs: recorded(news, [...still, ...emptyOf(found)]),
        failures: found
            .filter(({ acl }) => acl === undefined)
            .map(({ id }) => ({
                property: "",
                reason: `Service ${news.service}: there is no access control list "${id}" in this region. Remedy: create it in the CLB console, or correct acl-id.`,
            })),
    };
}

/** Records what was looked at. */
export async function create(inputs: AclCheckInputs): Promise<{ id: string; outs: AclCheckInputs }> {
    return { id: inputs.service, outs: inputs };
}

/** Looks at all lists again. One that is gone is the listener's matter. */
export async function read(
    id: string,
    props: AclCheckInputs,
    look: Look = lookIn(props),
): Promise<{ id: string; props: AclCheckInputs; inputs: AclCheckInputs }> {
    const found = await Promise.all(props.lists.map(async (list) => ({ id: list, acl: await look(list) })));
    const now = recorded(props, emptyOf(found));
    return { id, props: now, inputs: now };
}

/** Records what was looked at. */
export async function update(
    _id: string,
    _olds: AclCheckInputs,
    news: AclCheckInputs,
): Promise<{ outs: AclCheckInputs }> {
    return { outs: news };
}

function lookIn(inputs: AclCheckInputs): Look {
    return (id) => describeAcl(openPlace(inputs), id);
}

const emptyOf = (found: readonly { readonly id: string; readonly acl: Acl | undefined }[]): string[] =>
    found.flatMap(({ id, acl }) => (acl?.entries.length === 0 ? [id] : []));

function recorded(inputs: AclCheckInputs, empty: readonly string[]): AclCheckInputs {
    const { empty: _, ...rest } = inputs;
    return empty.length === 0 ? rest : { ...rest, empty };
}

/**
 * Check of the access control lists that a Service names.
 *
 * The cloud refuses a missing list, and a list of the other IP version, only with its listener, after other objects
 * were changed. It accepts an empty list, which restricts no client, even as a whitelist. Source: "Configure CLB using
 * annotations", access control list.
 */
import { type Acl, describeAcl } from "../../../clb/acl";
import { type Checked, isUnknown, openPlace, type Place, recording, refuseService } from "../handler";

export interface AclCheckInputs extends Place {
    /** `namespace/name`. */
    readonly service: string;
    readonly lists: readonly string[];
    /** IP version of the load balancer. Default `ipv4`. */
    readonly ipVersion?: "ipv6";
    /**
     * Lists without entries, as of the last look, absent if there are none. Written by {@link check} and {@link read}.
     */
    readonly empty?: readonly string[];
}

export const { create, update } = recording<AclCheckInputs>();

type Look = (id: string) => Promise<Acl | undefined>;

/** Checks new lists. The result for others stays until a refresh. */
export async function check(
    olds: Partial<AclCheckInputs>,
    news: AclCheckInputs,
    look: Look = (id) => describeAcl(openPlace(news), id),
): Promise<Checked<AclCheckInputs>> {
    const known = olds.lists ?? [];
    const fresh = isUnknown(news.region) ? [] : news.lists.filter((id) => !known.includes(id));
    const found = await lookAt(fresh, look);
    const stillEmpty = (olds.empty ?? []).filter((id) => news.lists.includes(id));
    return refuseService(
        recorded(news, [...stillEmpty, ...emptyOf(found)]),
        found.map(({ id, acl }) => problemOf(id, acl, news)),
    );
}

function problemOf(id: string, acl: Acl | undefined, inputs: AclCheckInputs): string | undefined {
    const ipVersion: string = inputs.ipVersion ?? "ipv4";
    if (acl === undefined)
        return (
            `there is no access control list "${id}" in this region. Remedy: create it in the CLB console, ` +
            "or correct acl-id."
        );
    if ((acl.addressIpVersion ?? ipVersion) === ipVersion) return undefined;
    return (
        `access control list "${id}" is of ${acl.addressIpVersion}, and the load balancer of ${ipVersion}. ` +
        `Remedy: name a list of ${ipVersion} in acl-id.`
    );
}

/** Looks at all lists again. A missing list is left to the listener. */
export async function read(
    id: string,
    props: AclCheckInputs,
    look: Look = (list) => describeAcl(openPlace(props), list),
) {
    const now = recorded(props, emptyOf(await lookAt(props.lists, look)));
    return { id, props: now, inputs: now };
}

const lookAt = (lists: readonly string[], look: Look) =>
    Promise.all(lists.map(async (id) => ({ id, acl: await look(id) })));

const emptyOf = (found: Awaited<ReturnType<typeof lookAt>>): string[] =>
    found.flatMap(({ id, acl }) => (acl?.entries.length === 0 ? [id] : []));

function recorded(inputs: AclCheckInputs, empty: readonly string[]): AclCheckInputs {
    const { empty: _, ...rest } = inputs;
    return empty.length === 0 ? rest : { ...rest, empty };
}

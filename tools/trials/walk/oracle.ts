/** The cloud after a change, against the cloud after a fresh creation of the same program. */
import { isDeepStrictEqual } from "node:util";
import { serviceOf } from "../../../provider/schema/names";
import { nameOf, type Version } from "../service";
import type { Canonical } from "../world";
import { type Deviation, isAllowed, MADE_UP, type Plain } from "./may-differ";

/** Fields by which an object is found again. */
const IDENTITY = ["id", "loadBalancerId", "protocol", "port", "startPort", "listenerPort", "domain"];

const isPlain = (value: unknown): value is Plain =>
    typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the Service whose name is in the ownership mark of an object. */
const ownerOf = ({ objects }: Deviation, services: readonly Version[]): Version | undefined =>
    services.find((service) => {
        const name = nameOf(service);
        return new RegExp(`[/.]${name}[/.]default\\b|\\bdefault[/.]${name}\\b`).test(text(objects));
    });

/**
 * Returns a line for each attribute in which the clouds differ and may not.
 *
 * @param services the Services of the program. Default: nothing may differ for their sake
 */
export function deviations(changed: Canonical, fresh: Canonical, services: readonly Version[] = []): string[] {
    return Object.keys({ ...changed, ...fresh }).flatMap((list) => {
        const [here, there] = [changed, fresh].map((state) => byIdentity(byMember(list, state[list], services))) as [
            Plain,
            Plain,
        ];
        return Object.keys({ ...here, ...there })
            .flatMap((object) => differing({ list, object, objects: [here[object], there[object]] }))
            .filter((one) => !isAllowed(one, ownerOf(one, services)))
            .map(describe);
    });
}

const describe = ({ list, object, attribute, changed, fresh }: Deviation): string =>
    `${list}, ${object}, ${attribute}: ${JSON.stringify(changed)}, but at first ${JSON.stringify(fresh)}`;

/** Members of a group, by the kind of group. */
const MEMBERS: Readonly<Record<string, string>> = { "slb vServerGroups": "backends", "nlb serverGroups": "servers" };

/** Takes the groups of users apart: what each Service has there, and what others have. */
function byMember(list: string, all: unknown, services: readonly Version[]): readonly Plain[] {
    const objects = (all ?? []) as readonly Plain[];
    const field = MEMBERS[list];
    if (field === undefined) return objects;
    return objects.flatMap((object) => {
        if (serviceOf(String(object["name"])) !== undefined) return [object];
        const of = (owner: string | undefined): readonly Plain[] =>
            (object[field] as readonly Plain[]).filter(({ description }) => serviceOf(String(description)) === owner);
        const parts = services.map((service) => {
            const owner = `default/${nameOf(service)}`;
            return { id: `${String(object["id"])} for ${owner}/`, [field]: of(owner) };
        });
        return [{ ...object, [field]: of(undefined) }, ...parts];
    });
}

function byIdentity(objects: readonly Plain[]): Plain {
    const grouped = Object.groupBy(objects, (object) =>
        IDENTITY.flatMap((field) => (object[field] === undefined ? [] : [String(object[field])])).join(" "),
    );
    // Objects that there are twice stay two.
    return Object.fromEntries(
        Object.entries(grouped).flatMap(([key, found = []]) =>
            found.map((object, index) => [index === 0 ? key : `${key} (${index + 1})`, object] as const),
        ),
    );
}

function differing(
    at: Pick<Deviation, "list" | "object" | "objects">,
    [changed, fresh]: readonly [unknown, unknown] = at.objects,
    attribute = "",
): Deviation[] {
    const [one, other] = [comparable(changed), comparable(fresh)];
    if (isDeepStrictEqual(one, other)) return [];
    if (isPlain(one) && isPlain(other))
        return Object.keys({ ...one, ...other }).flatMap((name) =>
            differing(at, [one[name], other[name]], attribute === "" ? name : `${attribute}.${name}`),
        );
    return [{ ...at, attribute, changed: one, fresh: other }];
}

/** Returns a value without what the cloud makes up, and with lists in the order of their content. */
function comparable(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(comparable).toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
    if (!isPlain(value)) return value;
    const kept = Object.entries(value).filter(([name]) => !MADE_UP.includes(name));
    return Object.fromEntries(kept.map(([name, inner]) => [name, comparable(inner)]));
}

const text = (value: unknown): string => JSON.stringify(value);

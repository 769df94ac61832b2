/** State of the simulated cloud without the values that differ between equal runs: ids, addresses, times and order. */

type Plain = Readonly<Record<string, unknown>>;

/** Fields of times, which no two runs share. */
const TIMES = /(?:time|Time|At|Date|Until)$/;

/**
 * Name of each object instead of its id, by product and list. The order matters, because later names contain earlier
 * names.
 */
const NAMED: readonly (readonly [product: string, list: string, name: (object: Plain, known: Names) => string])[] = [
    ["slb", "loadBalancers", ({ name }) => `clb ${String(name)}`],
    ["slb", "acls", ({ name }) => `acl ${String(name)}`],
    ["slb", "vServerGroups", ({ loadBalancerId, name }, known) => `${known.of(loadBalancerId)} group ${String(name)}`],
    ["slb", "listeners", ({ loadBalancerId, port }, known) => `${known.of(loadBalancerId)} listener ${String(port)}`],
    [
        "slb",
        "domainExtensions",
        ({ loadBalancerId, listenerPort, domain }, known) =>
            `${known.of(loadBalancerId)} domain ${String(listenerPort)} ${String(domain)}`,
    ],
    ["nlb", "loadBalancers", ({ name }) => `nlb ${String(name)}`],
    ["nlb", "serverGroups", ({ name }) => `group ${String(name)}`],
    [
        "nlb",
        "listeners",
        ({ loadBalancerId, protocol, port, startPort }, known) =>
            `${known.of(loadBalancerId)} listener ${String(protocol)} ${String(port)} ${String(startPort)}`,
    ],
    ["ecs", "securityGroups", ({ name }) => `security group ${String(name)}`],
];

/** Fields beside the id by which others refer to an object, or that are made up with it. */
const MADE_UP = ["id", "address", "dnsName"];

class Names {
    readonly #names = new Map<string, string>();

    set(made: unknown, name: string): void {
        if (typeof made === "string" && made !== "") this.#names.set(made, name);
    }

    of(made: unknown): string {
        return this.#names.get(String(made)) ?? String(made);
    }
}

/** Two states are equal if and only if what this gives is. Objects that there are twice stay two. */
export function canonical(state: Plain): Plain {
    const names = new Names();
    const lists = NAMED.map(([product, list, nameOf]): [string, readonly Plain[]] => {
        const objects = ((state[product] as Plain | undefined)?.[list] ?? []) as readonly Plain[];
        for (const object of objects)
            for (const field of MADE_UP) names.set(object[field], `${field} of ${nameOf(object, names)}`);
        return [`${product} ${list}`, objects];
    });
    return sorted(Object.fromEntries(lists), names) as Plain;
}

function sorted(value: unknown, names: Names): unknown {
    if (Array.isArray(value))
        return value
            .map((item) => sorted(item, names))
            .map((item) => [JSON.stringify(item), item] as const)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([, item]) => item);
    if (typeof value === "object" && value !== null)
        return Object.fromEntries(
            Object.entries(value)
                .filter(([key]) => !TIMES.test(key))
                .map(([key, inner]) => [names.of(key), sorted(inner, names)] as const)
                .sort(([one], [other]) => (one < other ? -1 : 1)),
        );
    return typeof value === "string" ? names.of(value) : value;
}

/** Returns lines for the differences of two canonical states. */
export function differences(found: Plain, expected: Plain): string[] {
    return Object.keys(expected).flatMap((list) => {
        const [here, there] = [found, expected].map((state) =>
            ((state[list] ?? []) as readonly unknown[]).map((item) => JSON.stringify(item)),
        ) as [string[], string[]];
        return [
            ...without(here, there).map((item) => `too much in ${list}: ${item}`),
            ...without(there, here).map((item) => `missing in ${list}: ${item}`),
        ];
    });
}

/**
 * Returns the items of a list beyond those of another list. An item that is there more often appears as often as it
 * exceeds.
 */
function without(items: readonly string[], others: readonly string[]): string[] {
    const rest = [...others];
    return items.filter((item) => {
        const at = rest.indexOf(item);
        if (at >= 0) rest.splice(at, 1);
        return at < 0;
    });
}

/** Load balancers as a person wants to see them: instance, listeners, their groups and members. */

export interface Attributes {
    readonly [name: string]: unknown;
}

/** The part of `GET /_state` that this program reads. */
export interface State {
    readonly slb: {
        readonly loadBalancers: readonly {
            id: string;
            name: string;
            address: string;
            addressType: string;
            status: string;
            deleteProtection: string;
        }[];
        readonly listeners: readonly {
            loadBalancerId: string;
            port: number;
            protocol: string;
            status: string;
            attributes: Attributes;
        }[];
        readonly vServerGroups: readonly {
            id: string;
            loadBalancerId: string;
            name: string;
            backends: readonly Member[];
        }[];
    };
    readonly nlb: {
        readonly loadBalancers: readonly {
            id: string;
            name: string;
            dnsName: string;
            addressType: string;
            status: string;
        }[];
        readonly listeners: readonly {
            id: string;
            loadBalancerId: string;
            protocol: string;
            port: number;
            startPort?: number;
            endPort?: number;
            status: string;
            serverGroupId: string;
        }[];
        readonly serverGroups: readonly { id: string; name: string; servers: readonly Member[] }[];
    };
}

export interface Member {
    readonly serverId: string;
    readonly serverIp: string;
    readonly port: number;
    readonly weight: number;
}

/** Row of the listing. A cell is empty where it would repeat the row above. */
export type Row = readonly [loadBalancer: string, address: string, listener: string, group: string, backends: string];

/** Number of members that a row shows before it only counts them. */
const SHOWN_MEMBERS = 6;

function memberText(members: readonly Member[]): string {
    const shown = members
        .slice(0, SHOWN_MEMBERS)
        .map(
            ({ serverId, serverIp, port, weight }) =>
                serverId + (serverIp === "" || serverIp === serverId ? "" : `/${serverIp}`) + `:${port}(${weight})`,
        );
    const more = members.length - shown.length;
    return members.length === 0 ? "-" : [...shown, ...(more > 0 ? [`… ${more} more`] : [])].join(" ");
}

interface Group {
    readonly id: string;
    readonly name: string;
    readonly members: readonly Member[];
}

function rowsOf(
    head: readonly [string, string],
    listeners: readonly (readonly [text: string, group: Group | undefined])[],
    unused: readonly Group[],
): Row[] {
    const lines = [
        ...listeners.map(([text, group]): readonly [string, Group | undefined] => [text, group]),
        ...unused.map((group): readonly [string, Group | undefined] => ["(no listener)", group]),
    ];
    if (lines.length === 0) return [[...head, "-", "-", "-"]];
    return lines.map(([text, group], i): Row => [
        i === 0 ? head[0] : "",
        i === 0 ? head[1] : "",
        text,
        group === undefined ? "-" : `${group.id} ${group.name}`,
        group === undefined ? "-" : memberText(group.members),
    ]);
}

function byPort(a: { port: number }, b: { port: number }): number {
    return a.port - b.port;
}

function clbRows(state: State): Row[] {
    const { loadBalancers, listeners, vServerGroups } = state.slb;
    const groups = vServerGroups.map((g) => ({
        id: g.id,
        loadBalancerId: g.loadBalancerId,
        name: g.name,
        members: g.backends,
    }));
    return loadBalancers.flatMap((lb) => {
        const mine = listeners.filter((l) => l.loadBalancerId === lb.id).sort(byPort);
        const own = groups.filter((g) => g.loadBalancerId === lb.id);
        const used = mine.map((l): readonly [string, Group | undefined] => {
            const forward = l.attributes["ListenerForward"] === "on" ? ` → ${String(l.attributes["ForwardPort"])}` : "";
            const group = own.find((g) => g.id === l.attributes["VServerGroupId"]);
            return [`${l.protocol}:${l.port}${forward} ${l.status}`, group];
        });
        const unused = own.filter((g) => !used.some(([, group]) => group?.id === g.id));
        return rowsOf([`${lb.id} ${lb.name}`, `${lb.address} ${lb.addressType}`], used, unused);
    });
}

function nlbRows(state: State): Row[] {
    const { loadBalancers, listeners, serverGroups } = state.nlb;
    const groups = serverGroups.map((g) => ({ id: g.id, name: g.name, members: g.servers }));
    const rows = loadBalancers.flatMap((lb) => {
        const mine = listeners.filter((l) => l.loadBalancerId === lb.id).sort(byPort);
        const used = mine.map((l): readonly [string, Group | undefined] => {
            const port = l.port === 0 ? `${l.startPort}-${l.endPort}` : String(l.port);
            return [`${l.protocol}:${port} ${l.status}`, groups.find((g) => g.id === l.serverGroupId)];
        });
        return rowsOf([`${lb.id} ${lb.name}`, `${lb.dnsName} ${lb.addressType}`], used, []);
    });
    const unused = groups.filter((g) => !listeners.some((l) => l.serverGroupId === g.id));
    // Server groups of NLB belong to no instance, so unused groups get rows of their own.
    return unused.length === 0 ? rows : [...rows, ...rowsOf(["(no instance)", "-"], [], unused)];
}

/** The listing of all load balancers. */
export function treeRows(state: State): Row[] {
    return [...clbRows(state), ...nlbRows(state)];
}

/** Pads columns to their widest cell, except the last column. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
    const all = [header, ...rows];
    const widths = header.map((_, i) => Math.max(...all.map((row) => [...(row[i] ?? "")].length)));
    return all
        .map((row) =>
            row
                .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
                .join("  ")
                .trimEnd(),
        )
        .join("\n");
}

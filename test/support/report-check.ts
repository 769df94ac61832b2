/** Sentences of a report against what the cloud recorded before and after the update. */

import { REPORT, type Report, type SubjectReport } from "../../cli/report/model";
import { serviceOf } from "../../provider/schema/names";
import type { CloudState } from "./cloud-state";

export interface Observed {
    readonly before: CloudState;
    readonly after: CloudState;
    /** Actions that the update called. */
    readonly writes: readonly string[];
}

/** Load balancer with its listeners as `tcp:80`, its addresses, and the members of the groups behind them. */
interface Balancer {
    readonly id: string;
    readonly isPublic: boolean;
    /** Services that have listeners, as `namespace/name`. */
    readonly services: readonly (string | undefined)[];
    readonly addresses: readonly string[];
    readonly listeners: ReadonlyMap<string, string>;
}

/** True if the cloud has chosen the address of a zone. */
const isOfCloud = ({ allocationId }: { readonly allocationId: string }): boolean =>
    !/^eip-(?!auto-)/.test(allocationId);

const balancersOf = ({ slb, nlb }: CloudState): Balancer[] => [
    ...slb.loadBalancers.map(({ id, address, addressType }) => ({
        id,
        isPublic: /^internet$/i.test(addressType),
        services: slb.listeners
            .filter(({ loadBalancerId }) => loadBalancerId === id)
            .map(({ attributes }) => serviceOf(String(attributes["Description"]))),
        addresses: [address],
        listeners: new Map(
            slb.listeners
                .filter(({ loadBalancerId }) => loadBalancerId === id)
                .map(({ protocol, port, attributes }) => [
                    `${protocol.toLowerCase()}:${port}`,
                    String(attributes["VServerGroupId"] ?? ""),
                ]),
        ),
    })),
    ...nlb.loadBalancers.map(({ id, dnsName, zones, addressType }) => ({
        id,
        isPublic: /^internet$/i.test(addressType),
        services: nlb.listeners
            .filter(({ loadBalancerId }) => loadBalancerId === id)
            .map(({ description }) => serviceOf(description)),
        // An elastic address of the user stays with the user.
        addresses: [dnsName, ...zones.filter(isOfCloud).map(({ publicAddress }) => publicAddress)],
        listeners: new Map(
            nlb.listeners
                .filter(({ loadBalancerId }) => loadBalancerId === id)
                .map(({ protocol, port, startPort, endPort, serverGroupId }) => [
                    `${protocol.toLowerCase()}:${startPort === undefined ? port : `${startPort}-${endPort}`}`,
                    serverGroupId,
                ]),
        ),
    })),
];

/** Member of a server group. */
interface Member {
    /** Key of the report: an instance, or an address with its port. */
    readonly key: string;
    readonly weight: number;
    /** Service that set it, as `namespace/name`. Undefined for those of others. */
    readonly service: string | undefined;
}

function membersOf({ slb, nlb }: CloudState, id: string): readonly Member[] | undefined {
    const group =
        slb.vServerGroups.find((one) => one.id === id)?.backends ??
        nlb.serverGroups.find((one) => one.id === id)?.servers;
    return group?.map(({ serverId, serverIp, port, weight, description }) => ({
        key: /^i-/.test(serverId) ? serverId : `${serverIp}:${port}`,
        weight,
        service: serviceOf(description),
    }));
}

/** Returns the weight of a member. The key of an address has a port only if it is not the group's. */
const weightOf = (members: readonly Member[], key: string): number | undefined =>
    (members.find((one) => one.key === key) ?? members.find((one) => one.key.startsWith(`${key}:`)))?.weight;

/** True if the backends of a group take turns: every backend with a weight has the same share. */
const takesTurns = ({ slb, nlb }: CloudState, id: string): boolean =>
    nlb.serverGroups.some((group) => group.id === id && /^rr$/i.test(group.scheduler)) ||
    slb.listeners
        .filter(({ attributes }) => attributes["VServerGroupId"] === id)
        .some(({ attributes }) => attributes["Scheduler"] === "rr");

const MEMBER_CALLS =
    /^(?:Add|Remove|Modify|Set|Update)(?:VServerGroup|ServerGroup|Servers)\w*(?:BackendServers|ServersAttribute|ToServerGroup|FromServerGroup|Attribute)$/;

/** True if an address of an NLB stays with a private address. With another it is new, even with the same digits. */
function staysInPlace(address: string, { before, after }: Observed): boolean {
    const placeIn = ({ nlb }: CloudState): string | undefined => {
        const zone = nlb.loadBalancers.flatMap(({ zones }) => zones).find((one) => one.publicAddress === address);
        return zone && `${zone.vSwitchId} ${zone.privateAddress}`;
    };
    return placeIn(before) === placeIn(after);
}

/** Returns every statement of a report that the cloud contradicts. */
export function untrue(report: Report, observed: Observed): string[] {
    REPORT.parse(report);
    const wrong: string[] = [];
    const hold = (statement: string, isTrue: boolean): void => void (isTrue || wrong.push(statement));
    const [before, after] = [balancersOf(observed.before), balancersOf(observed.after)];
    // The cloud may give an address to another load balancer at once.
    const left = before.flatMap(({ id, addresses, isPublic }) => {
        if (!isPublic) return [];
        const kept = after.find((one) => one.id === id)?.addresses ?? [];
        return addresses.filter((one) => one !== "" && !(kept.includes(one) && staysInPlace(one, observed)));
    });
    const released = new Set(report.losses.flatMap(({ address }) => address.split(", ")));
    for (const one of released) hold(`released: ${one}`, left.includes(one));
    for (const one of left) hold(`${one} is released, and the report does not say so`, released.has(one));
    if (report.verdict === "nothing")
        hold(`nothing changes, but ${observed.writes.join(", ")}`, observed.writes.length === 0);
    if (report.verdict === "backends-only")
        hold(
            `backends only, but ${observed.writes.join(", ")}`,
            observed.writes.every((action) => MEMBER_CALLS.test(action)),
        );
    if (["adopts", "leaves"].includes(report.verdict) && subjectsOnly(report, [report.verdict, "nothing"])) {
        // A preserved load balancer loses protections and marks.
        const writes = observed.writes.filter((action) => report.verdict === "adopts" || !UNMARKING.test(action));
        hold(`${report.verdict}, but ${writes.join(", ")}`, writes.length === 0);
    }
    for (const subject of report.subjects) checkSubject(subject, observed, hold);
    return wrong;
}

const UNMARKING = /^(?:UntagResources|SetLoadBalancer(?:Delete|Modification)Protection|UpdateLoadBalancerProtection)$/;

const subjectsOnly = ({ subjects }: Report, verdicts: readonly string[]): boolean =>
    subjects.every(({ verdict }) => verdicts.includes(verdict));

type Hold = (statement: string, isTrue: boolean) => void;

function checkSubject(subject: SubjectReport, observed: Observed, hold: Hold): void {
    const say = (text: string, isTrue: boolean): void => hold(`${subject.subject}: ${text}`, isTrue);
    const { loadBalancer, listeners, groups, notices, billing, verdict } = subject;
    const [before, after] = [balancersOf(observed.before), balancersOf(observed.after)];
    const was = before.find(({ id }) => id === loadBalancer?.id);
    // A new instance is the instance that was not there before and has the Service's listeners.
    const made = after.filter(({ id }) => before.every((one) => one.id !== id));
    const moves = loadBalancer?.origin === "reused" && loadBalancer.change === "replace";
    const remade = !moves && (loadBalancer?.change === "create" || loadBalancer?.change === "replace");
    const keys = listeners.flatMap(({ after: one }) => (one === null ? [] : [`${one.protocol}:${one.port}`]));
    const is = remade
        ? (made.find(({ services }) => services.some((one) => subject.subject === `Service ${one}`)) ??
          made.find((one) => keys.every((key) => one.listeners.has(key))))
        : after.find(({ id, addresses }) =>
              moves ? addresses.includes(loadBalancer.after?.value ?? "") : id === loadBalancer?.id,
          );
    if (loadBalancer !== null) {
        const there = { create: [false, true], delete: [true, false], replace: [true, true] }[
            loadBalancer.change as string
        ] ?? [true, true];
        say(
            `load balancer ${loadBalancer.change}`,
            (was !== undefined) === there[0] && (is !== undefined) === there[1],
        );
        if (loadBalancer.before?.value)
            say(
                `address was ${loadBalancer.before.value}`,
                was?.addresses.includes(loadBalancer.before.value) === true,
            );
        if (loadBalancer.after?.value && loadBalancer.change !== "delete")
            say(
                `address will be ${loadBalancer.after.value}`,
                is?.addresses.includes(loadBalancer.after.value) === true,
            );
        // The name of an NLB stays, and its addresses stay with their zones and type.
        const moves = notices.some(({ effect }) => /^(?:zone|addressType) /.test(effect));
        const former = was?.addresses.slice(0, moves ? 1 : undefined) ?? [];
        if (["import", "keep", "same", "update"].includes(loadBalancer.change))
            say(
                "the address stays",
                former.every((one) => is?.addresses.includes(one)),
            );
    }
    for (const { key, change, before: old, after: now } of listeners) {
        const name = (one: typeof old): string => `${one?.protocol}:${one?.port}`;
        const had = old !== null && was?.listeners.has(name(old)) === true;
        const has = now !== null && is?.listeners.has(name(now)) === true;
        const old_ = old !== null && is?.listeners.has(name(old)) === true;
        const holds: Record<typeof change, boolean> = {
            same: had && has,
            update: had && has,
            replace: had && has,
            create: has && was?.listeners.has(name(now)) !== true,
            delete: had && !old_,
            import: has && was?.listeners.has(name(now)) === true,
            keep: had && old_,
        };
        say(`listener ${key}: ${change}`, holds[change]);
    }
    for (const { key, change, id, pending, origin, fields, synced, backends } of groups) {
        if (pending !== null) continue;
        const listener = listeners.find(({ group }) => group === key);
        const facts = listener?.after ?? undefined;
        const behind = facts === undefined ? undefined : is?.listeners.get(`${facts.protocol}:${facts.port}`);
        // Others have members in a group of a user, which may be on the same instances.
        const ownIn = (state: CloudState, group: string): readonly Member[] | undefined =>
            membersOf(state, group)?.filter(
                ({ service }) => origin === "created" || subject.subject === `Service ${service}`,
            );
        // The port may join another group of the user's.
        const former = fields.find(({ field }) => field === "serverGroupId")?.before ?? id;
        const old = former === null ? undefined : ownIn(observed.before, former);
        const fresh = change === "create" || change === "replace" ? behind : (id ?? undefined);
        const now = fresh === undefined ? undefined : ownIn(observed.after, fresh);
        if (change === "delete") say(`server group ${key} is deleted`, old !== undefined && now === undefined);
        if (now === undefined && (change === "create" || change === "replace")) continue;
        // Members that the sync controller keeps are shown as of the last run.
        if (synced && backends.every((one) => ["same", "keep"].includes(one.change))) continue;
        for (const backend of backends) {
            const gone = backend.after === null || change === "delete";
            const weight = now && weightOf(now, backend.key);
            if (backend.before !== null && old !== undefined && !synced)
                say(
                    `backend ${backend.key} of ${key} had weight ${backend.before.weight}`,
                    weightOf(old, backend.key) === backend.before.weight,
                );
            say(
                `backend ${backend.key} of ${key}: ${backend.change}, ` +
                    `${gone ? "leaves" : `weight ${backend.after?.weight}`}, is ${weight}`,
                gone ? weight === undefined : weight === backend.after?.weight,
            );
            const share = backend.after?.share ?? null;
            const part = fresh !== undefined && takesTurns(observed.after, fresh) ? Math.sign : Number;
            const sum = (now ?? []).reduce((total, one) => total + part(one.weight), 0);
            if (!gone && share !== null && sum > 0)
                say(`backend ${backend.key} has ${share} %`, Math.abs(share - (part(weight ?? 0) / sum) * 100) < 0.06);
        }
        if (origin === "created" && change !== "delete" && change !== "keep" && now !== undefined)
            say(
                `server group ${key} has ${backends.length} backends`,
                now.length === backends.filter((one) => one.after !== null).length,
            );
    }
    const members = (key: string): readonly Member[] => membersOf(observed.after, is?.listeners.get(key) ?? "") ?? [];
    const answersBy = (key: string, members: readonly Member[]): boolean =>
        is?.listeners.has(key) === true && members.some(({ weight }) => weight > 0);
    const answers = (key: string): boolean => answersBy(key, members(key));
    const answersItself = (key: string): boolean =>
        answersBy(
            key,
            members(key).filter(({ service }) => subject.subject === `Service ${service}`),
        );
    for (const { about, effect } of notices) {
        const sentence = SENTENCES.find(([pattern]) => pattern.test(effect));
        say(`"${effect}" is a sentence that no check knows`, sentence !== undefined);
        const [pattern, holds] = sentence ?? [/$/, () => true];
        say(
            `${about}: ${effect}`,
            holds({
                about,
                match: pattern.exec(effect) ?? [],
                keys,
                was,
                is,
                answers,
                answersItself,
                subject,
                observed,
            }),
        );
    }
    // An instance with another spec is billed for the other.
    const isThere = (one: Balancer): boolean => after.some(({ id }) => id === one.id);
    const isOther = billing.filter(({ what }) => /^a CLB/.test(what)).length > 1;
    for (const { what, change } of billing)
        if (/^an? (?:CLB|NLB)/.test(what))
            say(
                `${what} ${change}`,
                change === "starts"
                    ? is !== undefined && (isOther || was === undefined || (is.id !== was.id && isThere(was)))
                    : change === "stops"
                      ? isOther || is === undefined
                      : true,
            );
    if (verdict === "creates" || verdict === "deletes") say(`verdict ${verdict}`, observed.writes.length > 0);
}

interface Spoken {
    readonly about: string;
    readonly match: readonly string[];
    readonly keys: readonly string[];
    readonly was: Balancer | undefined;
    readonly is: Balancer | undefined;
    readonly answers: (key: string) => boolean;
    /** True if it has a backend of the Service itself that takes connections. */
    readonly answersItself: (key: string) => boolean;
    readonly subject: SubjectReport;
    readonly observed: Observed;
}

/** True if instance, addresses and listeners are those from before. */
function staysAsItIs({ was, is }: Spoken): boolean {
    const shown = (one: Balancer | undefined): string => JSON.stringify([one?.addresses, [...(one?.listeners ?? [])]]);
    return was !== undefined && shown(was) === shown(is);
}

/** True if the update makes such a call. */
function writesOf(action: RegExp): (spoken: Spoken) => boolean {
    return ({ observed }) => observed.writes.some((one) => action.test(one));
}

/** Every sentence of "clients notice", with what has to be so after the update. */
const SENTENCES: readonly (readonly [RegExp, (spoken: Spoken) => boolean])[] = [
    [/^load balancer and listeners stay, but no backend answers/, staysAsItIs],
    [
        /^the Service becomes reachable when the update is done(?:, but not on (.*), which has no backend)?(?:, on (.*) only if others have backends in its server group)?$/,
        ({ match, keys, answers, answersItself }) => {
            const [empty = [], left = []] = match.slice(1).map((list) => list?.split(", ") ?? []);
            return (
                keys.length > 0 &&
                keys.every((key) => (empty.includes(key) ? !answers(key) : left.includes(key) !== answersItself(key)))
            );
        },
    ],
    [
        /^the Service is reachable only if others have backends in its server group: it has none$/,
        ({ keys, answersItself }) => keys.every((key) => !answersItself(key)),
    ],
    [/^the Service is not reachable: it has no backend$/, ({ keys, answers }) => keys.every((key) => !answers(key))],
    [/^the Service is reachable once .* has given it backends$/, ({ keys, answers }) => keys.every(answers)],
    [
        /joins? the server groups; listeners are not managed$/,
        // Other Services may have listeners on the instance.
        ({ is, subject }) => is?.services.every((one) => subject.subject !== `Service ${one}`) === true,
    ],
    [
        /^load balancer and listeners stay, which are not managed/,
        ({ was, is }) => JSON.stringify([...(was?.listeners ?? [])]) === JSON.stringify([...(is?.listeners ?? [])]),
    ],
    [/^load balancer and (?:address|listeners) stay as they are/, staysAsItIs],
    [
        /^the address stays, but nothing listens on (.*) any more$/,
        ({ match, was, is }) =>
            (match[1] ?? "")
                .split(", ")
                .every((key) => was?.listeners.has(key) === true && is?.listeners.has(key) === false),
    ],
    [/^connections break, and the address no longer answers$/, ({ is }) => is === undefined],
    [
        /^connections break, and the old address no longer answers; the Service gets a new address$/,
        // The cloud may give the same public address to the new NLB, whose name is the address.
        ({ was, is }) =>
            was !== undefined && is !== undefined && is.id !== was.id && is.addresses[0] !== was.addresses[0],
    ],
    [
        /^the Service gets a new address; the former load balancer stays, and is no longer managed$/,
        ({ was, is, observed }) =>
            is !== undefined && is.id !== was?.id && balancersOf(observed.after).some(({ id }) => id === was?.id),
    ],
    [
        /^connections break; another load balancer gets the address$/,
        ({ was, is }) =>
            was !== undefined && is !== undefined && is.id !== was.id && is.addresses[0] === was.addresses[0],
    ],
    [
        /^connections break, and the port no longer answers$/,
        ({ about, was, is }) => was?.listeners.has(about) === true && is?.listeners.has(about) !== true,
    ],
    [
        /^connections break, and new ones are refused for a time$/,
        ({ was, about, observed }) =>
            was?.listeners.has(about) === true && observed.writes.some((action) => /^Delete.*Listener$/.test(action)),
    ],
    [/^the port answers from now on$/, ({ about, answers }) => answers(about)],
    [/^the port does not answer: it has no backend$/, ({ about, answers }) => !answers(about)],
    [
        /^the port answers only if others have backends in its server group: the Service has none$/,
        ({ about, answersItself }) => !answersItself(about),
    ],
    [/^proxyProtocol changes from /, writesOf(/^(?:Set|Update).*Listener/)],
    [/^(?:backendType|serverGroupType) changes from /, writesOf(/^Create\w*ServerGroup$/)],
    [/^listener \S+ (?:changes from |is no longer managed)/, writesOf(/^Delete.*Listener$/)],
    [/^addressType changes from /, writesOf(/^UpdateLoadBalancerAddressTypeConfig$/)],
    [/^zone \S+ (?:changes from |is given up)/, writesOf(/^UpdateLoadBalancerZones$/)],
    [/^they are read after .*, which changes: members and weights may change$/, () => true],
    [
        /backends? takes? new connections once healthy$|^connections to \d+ backends? end|^new connections are shared by other weights|^weights change, which scheduler/,
        writesOf(MEMBER_CALLS),
    ],
    [/^\d+ backends? drains?: no new connections$/, writesOf(MEMBER_CALLS)],
    [/^new TLS handshakes get the new certificate/, writesOf(/Listener/)],
];

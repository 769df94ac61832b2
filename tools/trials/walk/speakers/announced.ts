/** The changes that a preview announces, against the calls that the run makes. */
import { isDeepStrictEqual } from "node:util";
import type { PreviewDigest } from "../../../../cli/report/preview";
import { changesOf } from "./previewed";
import type { Run } from "./reported";
import { objectsOf, type Objects } from "./objects";

type Way = "create" | "update" | "delete";
type Plain = Readonly<Record<string, unknown>>;

interface Announced {
    readonly object: string;
    readonly way: Way;
    /** True if the run has to make a call for it. */
    readonly needed: boolean;
}

interface Step {
    readonly op: string;
    readonly id: string | undefined;
    readonly before: Plain;
    readonly after: Plain;
}

/** Resources of records and of checks, which make no call of their own, and those in the cluster. */
const RECORDS =
    /^(?:Stack|ServiceLoadBalancer|SharedLoadBalancer|ServiceContract|ServiceClaim|ServiceStatus|LoadBalancerRelease|LoadBalancerRemnant|VSwitchChoice|ZoneCheck|AclCheck|CertificateCheck|NlbCertificateCheck|Cluster|ServerGroupBinding)$/;

const WAYS: readonly (readonly [RegExp, readonly Way[]])[] = [
    [/replace/, ["create", "delete"]],
    [/^create/, ["create"]],
    [/^delete/, ["delete"]],
    [/^update/, ["update"]],
];

const waysOf = (op: string): readonly Way[] => WAYS.find(([pattern]) => pattern.test(op))?.[1] ?? [];

const textOf = (properties: Plain, name: string): string => {
    const value = properties[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
};

const rangeIn = (inputs: Plain): string =>
    textOf(inputs, "startPort") && `${textOf(inputs, "startPort")}-${textOf(inputs, "endPort")}`;

/** Returns an object for each side that the resource has. */
function own(step: Step, objectOf: (inputs: Plain, id: string | undefined) => string): Announced[] {
    return waysOf(step.op).map((way) => ({
        object: way === "create" ? objectOf(step.after, undefined) : objectOf(step.before, step.id),
        way,
        needed: true,
    }));
}

/**
 * For the plugin a limit of 0, which is none, and no limit are a change, for which it makes no call. A timeout that is
 * no longer set stays.
 */
function isOfNoLimit({ before, after }: Step): boolean {
    const [{ cps: was, idleTimeout, ...others }, { cps: is, ...rest }] = [before, after];
    const kept = "idleTimeout" in rest ? { ...others, idleTimeout } : others;
    return was !== is && [was, is].every((cps) => cps === undefined || cps === 0) && isDeepStrictEqual(kept, rest);
}

/** True for a change of what happens at the deletion alone, for which no call is made. */
function isOfPreserving({ op, before, after }: Step): boolean {
    const [{ preserve: _was, ...others }, { preserve: _is, ...rest }] = [before, after];
    return op === "update" && isDeepStrictEqual(others, rest);
}

/** A part of an object is there or not: the object is updated. */
const part = (object: string, needed = true): Announced[] => [{ object, way: "update", needed }];

/** A part of an instance is there or not: the instance is updated, and the instance that it leaves. */
function ofInstance({ before, after }: Step, known: Objects, needed: boolean): Announced[] {
    const [was, is] = [before, after].map((side) => textOf(side, "loadBalancerId")) as [string, string];
    const left = was !== "" && was !== is ? part(known.instance(was), is === "" && needed) : [];
    return is === "" ? left : [...left, ...part(known.instance(is), needed)];
}

/** Returns the keys of a record's parts that differ. */
const keysOf = ({ before, after }: Step, property: string): string[] => {
    const [was, is] = [before[property] as Plain | undefined, after[property] as Plain | undefined];
    return Object.keys({ ...was, ...is }).filter((key) => !isDeepStrictEqual(was?.[key], is?.[key]));
};

const entryOf = ({ before, after }: Step, property: string, key: string): Plain =>
    (((after[property] as Plain | undefined)?.[key] ?? (before[property] as Plain | undefined)?.[key]) as Plain) ?? {};

/** The objects in the cloud that a resource stands for, by its type. */
const OBJECTS: Readonly<Record<string, (step: Step, known: Objects) => readonly Announced[]>> = {
    ApplicationLoadBalancer: (step, known) =>
        own(step, (inputs, id) => known.instance(id ?? "", textOf(inputs, "loadBalancerName"))),
    LoadBalancer: (step, known) =>
        own(step, (inputs, id) => known.instance(id ?? "", textOf(inputs, "loadBalancerName"))),
    // Another Service may have set the same tags before.
    ReusedLoadBalancer: (step, known) => {
        const { loadBalancerId, tags, attributes } = step.after as Readonly<Record<string, Plain | undefined>>;
        const isSet = Object.keys(attributes ?? {}).length === 0 && known.hasTags(String(loadBalancerId), tags ?? {});
        return ofInstance(step, known, step.op === "update" || (step.op !== "delete" && !isSet));
    },
    LoadBalancerZones: (step, known) =>
        part(
            known.instance(textOf({ ...step.before, ...step.after }, "loadBalancerId")),
            step.op === "update" && keysOf(step, "zones").length > 0,
        ),
    LoadbalancerCommonBandwidthPackageAttachment: (step, known) =>
        ofInstance(step, known, !/create|replace/.test(step.op)),
    Listener: (step, known) =>
        own(step, (inputs) =>
            known.listener(
                textOf(inputs, "loadBalancerId"),
                textOf(inputs, "protocol") || textOf(inputs, "listenerProtocol"),
                rangeIn(inputs) || textOf(inputs, "frontendPort") || textOf(inputs, "listenerPort"),
                textOf(inputs, "description") || textOf(inputs, "listenerDescription"),
            ),
        ).map((one) => ({ ...one, needed: step.op !== "update" || !isOfNoLimit(step) })),
    // A write of the listener sets options back, after which the same options are written again.
    ListenerOptions: (step, known) =>
        keysOf(step, "listeners").flatMap((key) => {
            const { protocol, port } = entryOf(step, "listeners", key);
            const lb = textOf({ ...step.before, ...step.after }, "loadBalancerId");
            const options = [step.before, step.after].map(
                ({ listeners }) => ((listeners as Plain | undefined)?.[key] as Plain | undefined)?.["options"],
            );
            const [was, is] = options as [Plain | undefined, Plain | undefined];
            // An option without a default that is no longer set stays as it is.
            const isSet = was !== undefined && Object.entries(is ?? {}).some(([name, value]) => was[name] !== value);
            return part(known.listener(lb, String(protocol), String(port)), step.op === "update" && isSet);
        }),
    AdditionalCertificates: ({ before, after, op }, known) =>
        part(known.listenerOf(textOf({ ...before, ...after }, "listenerId")), op === "update"),
    DomainExtension: (step, known) =>
        own(step, (inputs) =>
            known.domain(textOf(inputs, "loadBalancerId"), textOf(inputs, "frontendPort"), textOf(inputs, "domain")),
        ),
    ServerGroup: (step, known) =>
        own(step, (inputs, id) => known.group(id ?? "", textOf(inputs, "name") || textOf(inputs, "serverGroupName"))),
    ServerGroupOptions: ({ before, after, op }, known) =>
        part(known.group(textOf({ ...before, ...after }, "serverGroupId")), op === "update"),
    Backends: (step, known) =>
        // Without the sync controller, a run sets the members of every group.
        keysOf(leavesSync(step) ? { ...step, before: {} } : step, "groups").flatMap((key) => {
            const group = entryOf(step, "groups", key);
            const { backends } = group as { backends?: Plain };
            const members = (of: Plain): string =>
                `members of ${known.group(textOf(of, "serverGroupId"), textOf(of, "description"))}`;
            const former = (step.before["groups"] as Readonly<Record<string, Plain>> | undefined)?.[key];
            // A port that joins another group leaves the former.
            const left = former === undefined ? [] : part(members(former), false);
            // What the sync controller has written, the last run has not recorded.
            const needed = step.before["sync"] !== true && Object.keys(backends ?? {}).length > 0;
            return [...left, ...part(members(group), step.op === "update" && needed)];
        }),
    Acl: (step, known) => own(step, (inputs, id) => known.acl(id ?? "", textOf(inputs, "name"))),
    AclEntries: ({ op, before, after }, known) =>
        part(known.entries(textOf({ ...before, ...after }, "aclId")), op === "update"),
    SourceSecurityGroup: (step, known) =>
        own(step, (inputs, id) => known.securityGroup(id ?? "", textOf(inputs, "name"))).flatMap((one) => {
            if (isOfPreserving(step)) return part(one.object, false);
            // A preserved group goes if the instance has left it, and loses its marks if not.
            const mayStay = one.way === "delete" && step.before["preserve"] === true;
            return mayStay ? [{ ...one, needed: false }, ...part(one.object, false)] : [one];
        }),
};

/** True if the sync controller kept the backends until the run, and the run is to keep them. */
const leavesSync = ({ op, before, after }: Step): boolean =>
    op === "update" && before["sync"] === true && after["sync"] !== true;

function announcedBy(digest: PreviewDigest, known: Objects): { readonly all: Announced[]; readonly strange: string[] } {
    const [all, strange]: [Announced[], string[]] = [[], []];
    const left = new Map(
        changesOf(digest).flatMap(({ op, urn, oldState }) =>
            oldState && /delete|replace/.test(op) ? [[urn, oldState]] : [],
        ),
    );
    // What would be deleted with a preserved object stays, too.
    const stays = (urn: string): boolean => {
        const { retainOnDelete = false, deletedWith } = left.get(urn) ?? {};
        return retainOnDelete || (deletedWith !== undefined && stays(deletedWith));
    };
    for (const { op, urn, oldState, newState } of changesOf(digest)) {
        const type = urn.split("::")[2]?.split("$").at(-1)?.split(/[:/]/).at(-1) ?? "";
        if (RECORDS.test(type)) continue;
        const of = OBJECTS[type];
        if (of === undefined) strange.push(`a resource of type ${type}, of which nothing is known here`);
        const step: Step = {
            op,
            id: oldState?.id,
            before: oldState?.inputs ?? {},
            after: newState?.inputs ?? {},
        };
        const announced = of?.(step, known) ?? [];
        // What is preserved loses its marks. Listeners go if their instance is replaced, and the next is made before.
        const goes = /replace/.test(op) && /^(?:Listener|DomainExtension)$/.test(type);
        all.push(
            ...announced.flatMap((one) => {
                if (one.way !== "delete" || !stays(urn)) return [one];
                return goes ? [{ ...one, needed: false }] : part(one.object, false);
            }),
        );
    }
    return { all, strange };
}

/** Returns a line for each call that no change announces, and for each announced change without a call. */
export function unannounced(digest: PreviewDigest, run: Run): string[] {
    const known = objectsOf(run);
    const { all, strange } = announcedBy(digest, known);
    const calls = run.writes.map((write) => ({ write, object: known.written(write), way: wayOf(write.action) }));
    const byObject = Map.groupBy(all, ({ object }) => object);
    // The CLI shows no deletion of a resource that leaves the program if what it depends on is replaced.
    const gone = new Set(all.filter(({ way }) => way === "delete").map(({ object }) => object));
    const surprising = calls.filter(({ object, way }) => {
        const ways = (byObject.get(object) ?? []).map((one) => one.way);
        const isHidden = way === "delete" && gone.has(known.redirectOf(object));
        return !isHidden && !ways.includes(way) && (way !== "update" || ways.length === 0);
    });
    const missing = all.filter(
        ({ object, way, needed }) =>
            needed &&
            !calls.some((call) => call.object === object && (call.way === way || way === "update")) &&
            !(way !== "create" && known.goesWith(object).some((other) => gone.has(other))),
    );
    return [
        ...strange,
        ...surprising.map(({ write, object }) => `the run calls ${write.action} for ${object}, which no preview says`),
        ...missing.map(({ object, way }) => `the preview has ${way} ${object}, and the run makes no call for it`),
    ].map((line) => `preview: ${line}`);
}

function wayOf(action: string): Way {
    if (/^Create/.test(action)) return "create";
    return /^Delete/.test(action) ? "delete" : "update";
}

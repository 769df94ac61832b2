/**
 * Contract of a Service. It records the settings established at the creation of the instance. From facts read by the
 * program, it refuses changes the cloud cannot make, and a reuse it cannot carry out.
 *
 * `check` is the only method to get the old inputs at preview, before any other resource of the Service.
 */
import { createHash } from "node:crypto";
import { isNewer, packageVersion } from "../../host/version";
import { callerAccountId, openAccount, principalOf } from "../../cloud";
import { contradictions } from "../../cluster/discovery";
import { formatSentences, isError } from "../../diagnostics";
import { errorMessage } from "../../net";
import { type ObservedService, servingController } from "../../plan/controller";
import * as identities from "../../plan/identity";
import { establish, isObserved, observedFields, unobserved, violations } from "../../plan/immutability";
import { interruptions } from "../../plan/interruptions";
import { type FormerTags, formerTags } from "../../plan/reuse/changes";
import { checkReuse } from "../../plan/reuse";
import { instancesOf } from "../../plan/reuse/instances";
import { checkDroppedListeners } from "../../plan/reuse/ownership";
import type { Account } from "../../schema/account";
import { defined, unlessEmpty } from "../../schema/defined";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { ObservedInstance, ObservedLoadBalancer } from "../../plan/observed";
import type { ImmutableFields } from "../../schema/settings";
import type { ReuseRequest } from "../../service/reuse";
import { type Checked, isUnknown, recording, refuse } from "./handler";

/** Service managed again by another controller. */
export interface RetakenService {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly loadBalancerType: LoadBalancerType;
    /** Marks of the other controller, for people. */
    readonly marks: readonly string[];
}

export interface ContractInputs {
    /** `namespace/name`. */
    readonly service: string;
    /** Owner of the settings, for people. Default: the Service. */
    readonly subject?: string;
    /** Immutable settings requested by the Service. */
    readonly requested: ImmutableFields;
    /**
     * Values of settings the Service does not request, from the creation of its instance on. {@link check} adds them to
     * `requested` as they were established. Default none.
     */
    readonly initial?: ImmutableFields;
    /** Settings that request the value of a field of `requested`. If absent, the setting of the field's name. */
    readonly askedBy?: Readonly<Record<string, readonly string[]>>;
    /**
     * Immutable settings of the last successful run. {@link check} writes them, and policies compare them with
     * `requested`.
     */
    readonly established?: ImmutableFields;
    /** Settings whose change causes an outage. They are never refused. */
    readonly disruptive?: Readonly<Record<string, string>>;
    /** Disruptive settings of the last successful run. {@link check} writes them for policies. */
    readonly disruptiveBefore?: Readonly<Record<string, string>>;
    /** Problems found by the program. Never stored. */
    readonly problems?: readonly string[];
    /** Problems of a Service new to the stack. Never stored. */
    readonly firstProblems?: readonly string[];
    /** Cluster and account of the run. Never stored. */
    readonly origin?: RunOrigin;
    /** Cluster, account and region of the Service. Written by {@link check}. */
    readonly identity?: identities.StackIdentity;
    /** Former identity, if the run moves the Service on purpose. Written by {@link check}. */
    readonly movedFrom?: identities.StackIdentity;
    /** Settings whose change is allowed, with a new instance and address. */
    readonly allowReplacement?: readonly string[];
    /** True if the claim exists only to hand the Service back, by the deletion of the claim. Default false. */
    readonly handsBack?: boolean;
    /** Service in the cluster, absent if it does not exist or could not be read. */
    readonly live?: ObservedService;
    /** Claimed Service managed again by the Cloud Controller Manager. {@link check} keeps it if the stack has it. */
    readonly retaken?: RetakenService;
    /** True if the Service has, or once had, an address. Until then nothing is established. */
    readonly bound?: boolean;
    /** Mark of the instance made for the Service, by which it is found. Absent if unknown. Never stored. */
    readonly mark?: string;
    /** Request for a user-managed instance. `found` is absent if the instance does not exist. */
    readonly reuse?: { readonly request: ReuseRequest; readonly found?: ObservedLoadBalancer };
    /**
     * Former values of the tags set by the Service on that instance. {@link check} writes them before the tags are
     * set.
     */
    readonly formerTags?: FormerTags;
    /** Newest version of this package to run for the Service. Written by {@link check}. */
    readonly version?: string;
}

export const { create, update } = recording<ContractInputs>();

const WITHDRAWN =
    "handBack cannot be withdrawn: the run would hand the Service to the Cloud Controller Manager (CCM), while this " +
    "stack keeps its load balancer. Remedy: leave handBack set, or hand the Service back and adopt it again.";

/**
 * Refuses problems, and changes of immutable settings unless they are allowed. Compares unknown values once they are
 * known.
 */
export async function check(
    olds: Partial<ContractInputs>,
    { problems, firstProblems, origin, mark, movedFrom: _, retaken, ...given }: ContractInputs,
    find = findInstances,
): Promise<Checked<ContractInputs>> {
    const { version } = olds;
    const subject = given.subject ?? `Service ${given.service}`;
    if (version !== undefined && isNewer(version, packageVersion()))
        return refuse({ ...given, version }, [`${subject}: ${tooOld(version)}`]);
    const isFirst = olds.requested === undefined;
    const bound = olds.bound === true || (given.bound ?? true);
    const recorded =
        olds.requested === undefined || !bound
            ? { ...knownOf(given.initial), ...given.requested }
            : establish(olds.established ?? {}, olds.requested);
    const news = { ...given, requested: { ...kept(recorded, given.initial), ...given.requested } };
    const { established, problem: unread } = await observe(recorded, { ...news, ...defined({ mark, origin }) }, find);
    const ofFirstRun = isFirst && !isUnknown(firstProblems) ? (firstProblems ?? []) : [];
    // The problems of a first run explain its controller better than the Service's status.
    const served =
        news.live === undefined || isUnknown(news.live) || ofFirstRun.length > 0
            ? undefined
            : servingController(news.live, !isFirst || news.reuse !== undefined);
    const refusedHere = [
        ...(problems === undefined || isUnknown(problems) ? [] : problems),
        ...ofFirstRun,
        ...(served === undefined ? [] : [served]),
        ...(unread === undefined ? [] : [unread]),
        ...refusedChanges(established, news, olds.requested),
        ...refusedReuse(olds, news),
        ...(olds.handsBack && !news.handsBack ? [WITHDRAWN] : []),
    ];
    // A run already refused makes no call.
    const compared = await compareOrigin(olds.identity, origin, refusedHere.length === 0);
    const { identity, movedFrom } = compared;
    return refuse(
        {
            ...news,
            established,
            bound,
            version: packageVersion(),
            ...defined({
                identity: unlessEmpty(identity),
                disruptiveBefore: olds.disruptive,
                movedFrom,
                formerTags: isUnknown(news.reuse) ? olds.formerTags : formerTags(olds, news),
                retaken: isFirst ? undefined : retaken,
            }),
        },
        [...compared.refused, ...refusedHere].map((reason) => `${subject}: ${reason}`),
    );
}

const tooOld = (version: string): string =>
    `version ${version} of ack-loadbalancer has run for it, and this run has version ${packageVersion()}, ` +
    "which may misread the state. " +
    `Remedy: install version ${version} or a newer one: the npm package, or the plugin for other languages.`;

/** Returns the established values of the settings in `initial`. */
const kept = (established: ImmutableFields, initial: ImmutableFields = {}): ImmutableFields =>
    Object.fromEntries(Object.entries(established).filter(([field]) => field in initial));

const knownOf = (fields: ImmutableFields = {}): ImmutableFields =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => !isUnknown(value)));

/**
 * Returns the established values to compare. {@link checkReuse} compares a reused instance. A Service's own instance is
 * read, with one call, if the Service states a setting for the first time, because its value may be in use already.
 */
async function observe(
    recorded: ImmutableFields,
    { requested, reuse, allowReplacement = [], mark, origin }: ContractInputs,
    find: typeof findInstances,
): Promise<{ readonly established: ImmutableFields; readonly problem?: string }> {
    if (reuse !== undefined)
        return { established: Object.fromEntries(Object.entries(recorded).filter(([field]) => !isObserved(field))) };
    const stated = unobserved(recorded, knownOf(requested));
    // Another instance than before has nothing to be compared with.
    const isOther = "id" in recorded || "id" in requested;
    if (stated.length === 0 || isOther || isUnknown([mark, origin?.account])) return { established: recorded };
    try {
        const found = mark === undefined ? [] : await find(mark, requested["loadBalancerType"], origin?.account);
        const [instance] = found;
        if (instance === undefined || found.length > 1)
            throw new Error(`${found.length === 0 ? "none bears" : "several bear"} the mark ${mark}`);
        const observed = Object.entries(observedFields(instance)).filter(([field]) => stated.includes(field));
        if (observed.length < stated.length) throw new Error(`the cloud does not tell all values of ${instance.id}`);
        return { established: { ...recorded, ...Object.fromEntries(observed) } };
    } catch (error) {
        const names = stated.filter((field) => !allowReplacement.includes(field)).join(" and ");
        if (names === "") return { established: recorded };
        const cause = `${names} cannot be compared with the load balancer: ${errorMessage(error)}`;
        return { established: recorded, problem: formatSentences({ cause, remedy: `remove ${names}, or try again` }) };
    }
}

/** Returns the instances with a mark. */
const findInstances = (
    mark: string,
    type: string | undefined,
    account: Account = {},
): Promise<readonly ObservedInstance[]> => instancesOf(openAccount(account), type as LoadBalancerType).findMarked(mark);

function refusedChanges(established: ImmutableFields, news: ContractInputs, former?: ImmutableFields): string[] {
    const requested = Object.fromEntries(
        Object.entries(news.requested).map(([setting, value]) => [
            setting,
            isUnknown(value) ? (established[setting] ?? "") : value,
        ]),
    );
    const allowed = new Set(news.allowReplacement ?? []);
    return violations(established, requested, news.askedBy, former)
        .filter(({ field, final }) => final || !allowed.has(field))
        .map(formatSentences);
}

function refusedReuse(olds: Partial<ContractInputs>, { reuse, allowReplacement = [] }: ContractInputs): string[] {
    if (reuse === undefined || isUnknown(reuse)) return [];
    return [
        // Allowing another instance implies knowledge of the binding to the present instance.
        ...checkReuse(reuse.request, reuse.found, allowReplacement.includes("id")),
        ...checkDroppedListeners(olds.reuse?.request, reuse.request, reuse.found),
    ]
        .filter(isError)
        .map(formatSentences);
}

/**
 * Compares the requested and the disruptive settings. A newly established value is not a change, nor is a newer version
 * of this package, which the engine records all the same.
 *
 * A move on purpose and a retaken Service are changes, because the preview must show them.
 */
export async function diff(_id: string, olds: ContractInputs, news: ContractInputs): Promise<{ changes: boolean }> {
    const settings = new Set([...Object.keys(olds.requested), ...Object.keys(news.requested)]);
    const changed = [...settings].some((setting) => olds.requested[setting] !== news.requested[setting]);
    const tagged = Object.keys(news.formerTags ?? {}).some((key) => olds.formerTags?.[key] === undefined);
    return {
        changes:
            changed ||
            tagged ||
            news.movedFrom !== undefined ||
            news.retaken !== undefined ||
            interruptions(olds.disruptive, news.disruptive).length > 0,
    };
}

/** Cluster and account of a run, as observed by the program. */
export interface RunOrigin {
    /** Absent if nothing of a cluster is needed. */
    readonly cluster?: { readonly uid?: string; readonly server: string };
    readonly account: Account;
    /** True if another cluster, account or region than the recorded origin is allowed. Default false. */
    readonly moves?: boolean;
    /** Facts reported by the cluster about itself, absent if they were not read. */
    readonly discovered?: identities.DiscoveredFacts;
    /**
     * True if the cloud may be called for an account not recorded yet. A preview calls it only if the cluster names the
     * required account.
     */
    readonly asks?: boolean;
}

/** Accounts asked for by this process, by key pair. */
const asked = new Map<string, Promise<string>>();

/**
 * Compares cluster and account of a run with the recorded identity. Makes a call for each new access key, none for a
 * recorded key. A cluster created by this run is compared once it exists.
 *
 * @param asksCloud false if the run is refused already. Then no call is made, and the account is not compared.
 */
async function compareOrigin(
    recorded: identities.StackIdentity = {},
    origin: RunOrigin | undefined,
    asksCloud: boolean,
): Promise<identities.IdentityComparison> {
    if (origin === undefined || isUnknown(origin.account)) return { refused: [], identity: recorded };
    const { account, moves, discovered } = origin;
    const cluster = isUnknown(origin.cluster) ? undefined : origin.cluster;
    const { problem, ...found } = asksCloud ? await findAccount(recorded, origin) : {};
    const place = defined({ cluster: cluster?.uid, server: cluster?.server, region: account.region });
    const now = { ...place, ...found, ...defined({ facts: discovered?.facts }) };
    const compared = identities.compareIdentity(recorded, now, moves);
    const refused = [...compared.refused, ...(problem === undefined ? [] : [problem])];
    return { ...compared, refused: [...refused, ...refusedByCluster(recorded, compared, discovered)] };
}

/**
 * Returns refusals if the account or a fact of the cluster differs from the recorded identity. A stack in a move
 * accepts the new facts.
 */
function refusedByCluster(
    recorded: identities.StackIdentity,
    { identity: { account }, movedFrom }: identities.IdentityComparison,
    discovered: identities.DiscoveredFacts | undefined,
): string[] {
    if (discovered === undefined) return [];
    const { accountId } = discovered;
    const foreign = contradictions({}, defined({ accountId }), defined({ accountId: account }));
    const isNew = Object.keys(recorded).length === 0 || movedFrom !== undefined;
    return [...foreign.map(formatSentences), ...(isNew ? [] : identities.changedFacts(recorded.facts, discovered))];
}

/** Returns the account of a run, or a reason to refuse the run without it, or nothing if it is not needed. */
async function findAccount(
    recorded: identities.StackIdentity,
    { account, asks, discovered }: RunOrigin,
): Promise<Pick<identities.StackIdentity, "account" | "key"> & { readonly problem?: string }> {
    try {
        const { accountId, keyId } = await principalOf(account);
        if (accountId !== undefined) return { account: accountId };
        const key = keyId === undefined ? undefined : createHash("sha256").update(keyId).digest("hex").slice(0, 16);
        const mayAsk = asks === true || discovered?.accountId !== undefined;
        if (recorded.account === undefined ? !mayAsk : key !== undefined && key === recorded.key) return {};
        const name = JSON.stringify([keyId, account]);
        const asking = asked.get(name) ?? callerAccountId(openAccount(account));
        asked.set(name, asking);
        return defined({ account: await asking, key });
    } catch (error) {
        if (recorded.account === undefined) return {};
        const problem =
            `it belongs to the Alibaba Cloud account ${recorded.account}, and the account of this run ` +
            `cannot be found out: ${errorMessage(error)}`;
        return { problem };
    }
}

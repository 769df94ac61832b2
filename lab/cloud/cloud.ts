import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { locationActions, billingActions, identityActions } from "./account";
import { certificateActions } from "./certificates";
import { quotaActions } from "./quotas";
import { VERSIONS, type Action, type Caller, type Origin, type Product } from "./actions";
import { ApiError, CallLog, checkParams, FaultList, Params, Throttle, type Fault, type JsonObject } from "./core";
import { ecsActions } from "./ecs";
import { nlbActions } from "./nlb";
import { slbActions } from "./slb";
import { vpcActions } from "./vpc";
import { authenticate, NonceMemory, type ApiRequest, type KeyPair } from "./wire";
import { Places } from "./places";
import type { World } from "./world";

/** The actions of every product. */
export const ACTIONS: Readonly<Record<Product, readonly Action[]>> = {
    Slb: slbActions,
    Nlb: nlbActions,
    Vpc: vpcActions,
    Ecs: ecsActions,
    Location: locationActions,
    BssOpenApi: billingActions,
    Sts: identityActions,
    Quotas: quotaActions,
    Cas: certificateActions,
};

const byName = new Map<string, Action>();
for (const [product, actions] of Object.entries(ACTIONS)) {
    for (const action of actions) {
        const key = `${product}.${action.name}`;
        if (byName.has(key)) throw new Error(`action ${key} is declared twice`);
        byName.set(key, action);
    }
}

const productOfVersion = new Map(Object.entries(VERSIONS).map(([product, version]) => [version, product as Product]));

/**
 * Products whose actions here need no permission. Source: RAM authorization of STS (GetCallerIdentity). The others
 * return nothing about resources.
 */
const FREE: ReadonlySet<Product> = new Set(["Location", "BssOpenApi", "Sts"]);

/** Products that RAM calls otherwise. */
const RAM_NAMES: Readonly<Partial<Record<Product, string>>> = { Cas: "yundun-cert" };

/** Milliseconds between two looks at whether a call that is held may go on. */
const HOLD_POLL = 20;

/** Answer to the client: a JSON body with its status, a body as it is, or nothing but a closed connection. */
export type Answer = { readonly status: number; readonly body: JsonObject | string } | "drop";

/** A call whose sender is known. */
interface Work {
    readonly product: Product;
    readonly action: string;
    readonly version: string;
    readonly params: Readonly<Record<string, string>>;
    readonly form: string;
    readonly origin: Origin;
    readonly wire?: ApiRequest;
    /** Account and region of a call without a request. Default: the first. */
    readonly world?: World;
}

/**
 * A simulated Alibaba Cloud without its network side: parses requests, checks their senders, injects faults, runs the
 * action and writes the call log.
 */
export class Cloud {
    readonly calls = new CallLog();
    readonly faults = new FaultList();
    private readonly nonces = new NonceMemory();
    private readonly throttle = new Throttle();
    /** Worlds as they were before their last change, while a fault asks for them. */
    private readonly past = new WeakMap<World, World>();
    readonly places: Places;
    /** Calls that RAM allows programs, such as `slb:CreateLoadBalancer`. If undefined, all are allowed. */
    allowed: ReadonlySet<string> | undefined;

    constructor(
        readonly world: World,
        keys: KeyPair,
    ) {
        this.places = new Places(world, keys);
    }

    /** Answers a request that came over the wire. */
    async answer(request: ApiRequest): Promise<Answer> {
        const product = productOfVersion.get(request.version);
        const work = {
            action: request.action,
            version: request.version,
            params: request.params,
            form: request.form,
            origin: "api" as const,
            wire: request,
        };
        return this.work({ ...work, product: product ?? ("Unknown" as Product) });
    }

    /** Does an action without a signed request: as a person in the console, as another tool, or for a seed. */
    async act(
        action: string,
        params: Readonly<Record<string, string>>,
        origin: Origin,
        product?: Product,
        world: World = this.world,
    ): Promise<Answer> {
        const found = product ?? (Object.keys(ACTIONS) as Product[]).find((p) => byName.has(`${p}.${action}`)) ?? "Slb";
        return this.work({ product: found, action, version: VERSIONS[found], params, form: "-", origin, world });
    }

    private async work(work: Work): Promise<Answer> {
        const started = Date.now();
        const requestId = randomUUID().toUpperCase();
        const mutating = byName.get(`${work.product}.${work.action}`)?.mutates === true;
        const fault =
            work.origin === "api" ? this.faults.take(work.product, work.action, work.params, mutating) : undefined;
        const wait = this.world.config.delays.request + (fault?.delayMs ?? 0);
        if (wait > 0 && work.origin === "api") await sleep(wait);
        while (fault?.hold === true && this.faults.has(fault.id)) await sleep(HOLD_POLL);
        const answer = this.outcome(work, fault, requestId);
        this.log(work, answer, fault, requestId, started);
        return fault?.drop === true || fault?.dropAfterEffect === true ? "drop" : answer;
    }

    /** Runs the call, or what the fault makes of it. Synchronous, so that no two calls ever see a half-made change. */
    private outcome(work: Work, fault: Fault | undefined, requestId: string): Exclude<Answer, "drop"> {
        try {
            if (fault?.drop === true)
                return { status: 0, body: { Code: "ConnectionDropped", Message: "Dropped before any effect." } };
            if (fault?.body !== undefined) return { status: fault.status ?? 400, body: fault.body };
            if (fault?.code !== undefined)
                throw new ApiError(
                    fault.code,
                    fault.message ?? `The operation is refused (${fault.code}).`,
                    fault.status,
                );
            const world = this.seen(this.worldOf(work), work, fault);
            return {
                status: 200,
                body: { RequestId: requestId, ...this.run(work, world, requestId, fault?.jobFails === true) },
            };
        } catch (error) {
            if (!(error instanceof ApiError)) {
                // A defect of the lab: it must show, so the answer says where it came from.
                const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
                return {
                    status: 500,
                    body: { RequestId: requestId, Code: "InternalError", Message: `lab/cloud: ${text}` },
                };
            }
            return {
                status: error.status,
                body: {
                    RequestId: requestId,
                    HostId: "127.0.0.1",
                    Code: error.code,
                    Message: error.message,
                    Recommend: "",
                },
            };
        }
    }

    /** The objects of the account and region that a call is for. */
    private worldOf({ wire, params, world }: Work): World {
        if (wire === undefined) return world ?? this.world;
        const { clockSkewSeconds } = this.world.config;
        const keys = authenticate(wire, this.places.keyPair, this.nonces, clockSkewSeconds, this.world.now());
        return this.places.of(keys, params["RegionId"]);
    }

    /** Returns the world that a call sees: the present world, or that before its last change. */
    private seen(world: World, work: Work, fault: Fault | undefined): World {
        if (byName.get(`${work.product}.${work.action}`)?.mutates === true) {
            if (this.faults.wantsPast) this.past.set(world, world.asItIs());
            return world;
        }
        return fault?.stale === true ? (this.past.get(world) ?? world) : world;
    }

    private run(work: Work, world: World, requestId: string, jobFails: boolean): JsonObject {
        const action = byName.get(`${work.product}.${work.action}`);
        if (action === undefined)
            throw new ApiError(
                "InvalidAction.NotFound",
                "Specified api is not found, please check your url and method.",
                404,
            );
        const permission = `${RAM_NAMES[work.product] ?? work.product.toLowerCase()}:${work.action}`;
        if (work.origin === "api" && this.allowed?.has(permission) === false && !FREE.has(work.product))
            throw new ApiError(
                "Forbidden.RAM",
                `User not authorized to operate on the specified resource (${permission}).`,
                403,
            );
        const { rules, config } = this.world;
        if (
            work.origin === "api" &&
            !this.throttle.allow(config.rateLimits, work.product, work.action, action.mutates, this.world.now())
        ) {
            throw new ApiError("Throttling.User", "Request was denied due to user flow control.");
        }
        const params = new Params(work.params);
        checkParams(params, action.params, rules, `${work.product}.${work.action}.`);
        const caller: Caller = {
            origin: work.origin,
            requestId,
            jobFails,
            assumeRole: (roleArn) => this.places.assume(roleArn, this.world.now()),
        };
        return action.run(params, world, caller) ?? {};
    }

    private log(
        work: Work,
        answer: Exclude<Answer, "drop">,
        fault: Fault | undefined,
        requestId: string,
        started: number,
    ): void {
        const body = typeof answer.body === "string" ? {} : answer.body;
        const message = body["Message"];
        this.calls.add({
            time: new Date(started).toISOString(),
            product: work.product,
            action: work.action,
            version: work.version,
            form: work.form,
            origin: work.origin,
            mutating: (byName.get(`${work.product}.${work.action}`)?.mutates ?? false) && !asksOnly(work),
            params: work.params,
            status: answer.status,
            code: answer.status === 200 ? "OK" : String(body["Code"] ?? answer.status),
            ...(answer.status !== 200 && typeof message === "string" ? { message } : {}),
            requestId,
            durationMs: Date.now() - started,
            ...(fault?.id === undefined ? {} : { fault: fault.id }),
        });
    }
}

/** Reports whether a request is only to be checked. Source: NLB API, parameter DryRun. */
const asksOnly = ({ params }: Work): boolean => params["DryRun"] === "true";

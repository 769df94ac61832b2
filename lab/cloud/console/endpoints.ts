import type { IncomingMessage, ServerResponse } from "node:http";
import { ACTIONS, type Cloud } from "../cloud";
import {
    collections,
    declaredRules,
    PUBLISHED_RATES,
    toJson,
    type CallFilter,
    type Config,
    type Fault,
    type Json,
    type ParamSpec,
} from "../core";
import type { Origin, Product } from "../actions";
import type { Place } from "../places";
import type { World } from "../world";
import { applySeed, defaultSeed, type Seed } from "./seed";

/** Body of `POST /_config`. An absent setting keeps its value. */
interface ConfigChange {
    readonly quotas?: Partial<Config["quotas"]>;
    readonly delays?: Partial<Config["delays"]>;
    readonly account?: Partial<Config["account"]>;
    /** `"published"` sets the published request rates. Replaces all limits. */
    readonly rateLimits?: Config["rateLimits"] | "published";
    readonly zones?: string[];
    readonly clockSkewSeconds?: number;
    /** False enforces only the rules that clients depend on, whose enforcement is `always`. */
    readonly strict?: boolean;
    /** Single rules, or prefixes ending in `.`, on or off. Merged. */
    readonly rules?: Readonly<Record<string, boolean>>;
}

interface ConsoleCall {
    readonly action: string;
    readonly params?: Readonly<Record<string, unknown>>;
    readonly product?: Product;
    /** Origin of the call: `console` (default) is held back by modification protection, `other` is not. */
    readonly as?: Origin;
}

type Handler = (cloud: Cloud, query: URLSearchParams, body: unknown) => Promise<Json> | Json;

function configView(cloud: Cloud): Json {
    const { config, rules } = cloud.world;
    return toJson({ ...config, strict: rules.strict, rules: rules.overrides });
}

function configure(cloud: Cloud, change: ConfigChange): Json {
    const { config, rules } = cloud.world;
    Object.assign(config.quotas, change.quotas);
    Object.assign(config.delays, change.delays);
    Object.assign(config.account, change.account);
    if (change.rateLimits !== undefined)
        config.rateLimits = change.rateLimits === "published" ? { ...PUBLISHED_RATES } : change.rateLimits;
    if (change.zones !== undefined) config.zones = change.zones;
    if (change.clockSkewSeconds !== undefined) config.clockSkewSeconds = change.clockSkewSeconds;
    if (change.strict !== undefined) rules.strict = change.strict;
    Object.assign(rules.overrides, change.rules);
    return configView(cloud);
}

function limitText(spec: ParamSpec): string {
    const parts = [
        spec.required === true ? "required" : "",
        spec.min === undefined
            ? ""
            : `${spec.min} to ${spec.max}${spec.also === undefined ? "" : ` or ${spec.also.join(", ")}`}`,
        spec.allowed === undefined ? "" : `one of ${spec.allowed.join(", ")}`,
        spec.maxLength === undefined ? "" : `at most ${spec.maxLength} characters`,
        spec.maxItems === undefined ? "" : `at most ${spec.maxItems} entries`,
    ];
    return parts.filter((part) => part !== "").join("; ");
}

/** Returns every rule: the declared rules, and a rule for each limit of a parameter. */
function listRules(cloud: Cloud): Json {
    const { rules } = cloud.world;
    const declared = declaredRules().map((r) => ({ ...r, enforced: rules.holds(r.id, r.enforcement) }));
    const limits = Object.entries(ACTIONS).flatMap(([product, actions]) =>
        actions.flatMap((action) =>
            Object.entries(action.params)
                .filter(([, spec]) => limitText(spec) !== "")
                .map(([name, spec]) => ({
                    id: `${product}.${action.name}.${name}`,
                    code: spec.required === true ? `Missing${name}` : (spec.code ?? "InvalidParameter"),
                    when: `not: ${limitText(spec)}`,
                    source: `API reference of ${product} ${action.name}, parameter ${name}`,
                    enforced: rules.holds(
                        `${product}.${action.name}.${name}`,
                        spec.required === true ? "always" : "strict",
                    ),
                })),
        ),
    );
    return toJson([...declared, ...limits]);
}

function filterOf(query: URLSearchParams): CallFilter {
    const mutating = query.get("mutating");
    const action = query.get("action");
    const origin = query.get("origin");
    return {
        since: Number(query.get("since") ?? 0),
        ...(action === null || action === "" ? {} : { action }),
        ...(origin === null || origin === "" ? {} : { origin }),
        ...(mutating === null || mutating === "" ? {} : { mutating: mutating !== "false" && mutating !== "0" }),
    };
}

/** Flattens nested values to `Name.1.Key`, as on the wire. Lists such as backends may be given as JSON text. */
function wireParams(params: Readonly<Record<string, unknown>>): Record<string, string> {
    const flat: Record<string, string> = {};
    const walk = (value: unknown, name: string): void => {
        if (Array.isArray(value)) value.forEach((item, i) => walk(item, `${name}.${i + 1}`));
        else if (value !== null && typeof value === "object")
            for (const [key, item] of Object.entries(value)) walk(item, `${name}.${key}`);
        else if (value !== undefined && value !== null) flat[name] = String(value);
    };
    for (const [name, value] of Object.entries(params)) walk(value, name);
    return flat;
}

async function consoleCall(cloud: Cloud, call: ConsoleCall): Promise<Json> {
    const answer = await cloud.act(call.action, wireParams(call.params ?? {}), call.as ?? "console", call.product);
    return answer === "drop" ? { status: 0 } : { status: answer.status, body: answer.body };
}

async function reset(cloud: Cloud): Promise<Json> {
    cloud.world.clear();
    cloud.calls.clear();
    cloud.faults.clear();
    await applySeed(cloud, defaultSeed(cloud.world.region));
    return { reset: true };
}

/** Returns the account and region that a query asks for, by default the first of each. */
function worldOf(cloud: Cloud, query: URLSearchParams): World {
    const [accountId, region] = [query.get("account"), query.get("region")];
    return cloud.places.declare({
        ...(accountId === null ? {} : { accountId }),
        ...(region === null ? {} : { region }),
    });
}

const HANDLERS: Readonly<Record<string, Handler>> = {
    "GET /_state": (cloud, query) => {
        const world = worldOf(cloud, query);
        const { slb, nlb, vpc, ecs } = world;
        return {
            region: world.region,
            slb: collections(slb),
            nlb: collections(nlb),
            vpc: collections(vpc),
            ecs: collections(ecs),
        };
    },
    "GET /_calls": (cloud, query) =>
        toJson(query.has("counts") ? cloud.calls.counts(filterOf(query)) : cloud.calls.select(filterOf(query))),
    "DELETE /_calls": (cloud) => {
        cloud.calls.clear();
        return { cleared: true };
    },
    "GET /_rules": (cloud) => listRules(cloud),
    "GET /_actions": () =>
        toJson(
            Object.fromEntries(
                Object.entries(ACTIONS).map(([product, actions]) => [product, actions.map((a) => a.name).sort()]),
            ),
        ),
    "GET /_config": (cloud) => configView(cloud),
    "POST /_config": (cloud, _query, body) => configure(cloud, body as ConfigChange),
    "GET /_faults": (cloud) => toJson(cloud.faults.list()),
    "POST /_faults": (cloud, _query, body) => {
        const faults = (Array.isArray(body) ? body : [body]) as Fault[];
        return { ids: faults.map((fault) => cloud.faults.add(fault)) };
    },
    "DELETE /_faults": (cloud, query) => {
        cloud.faults.clear(query.get("id") ?? undefined);
        return { cleared: true };
    },
    "POST /_ram": (cloud, _query, body) => {
        cloud.allowed = new Set((body as { readonly actions: readonly string[] }).actions);
        return { allowed: cloud.allowed.size };
    },
    "POST /_places": (cloud, _query, body) => {
        const { region, accountId } = cloud.places.declare(body as Place);
        return { region, accountId };
    },
    "POST /_seed": async (cloud, query, body) => {
        await applySeed(cloud, body as Seed, worldOf(cloud, query));
        return { seeded: true };
    },
    "POST /_console": (cloud, _query, body) => consoleCall(cloud, body as ConsoleCall),
    "POST /_reset": (cloud) => reset(cloud),
    // The keys of stacks, as HashiCorp Vault's transit engine takes them. Each is left as it is.
    "PUT /_keys/v1/transit/encrypt/lab": (_cloud, _query, body) => ({
        data: { ciphertext: (body as { readonly plaintext: string }).plaintext },
    }),
    "PUT /_keys/v1/transit/decrypt/lab": (_cloud, _query, body) => ({
        data: { plaintext: (body as { readonly ciphertext: string }).ciphertext },
    }),
};

/**
 * Handles the lab's endpoints, whose paths begin with `/_`. They need no signature: the server listens on loopback
 * only.
 */
export async function answerLab(
    cloud: Cloud,
    request: IncomingMessage,
    body: string,
    response: ServerResponse,
): Promise<void> {
    const url = new URL(request.url ?? "/", "http://cloud.invalid");
    const handler = HANDLERS[`${request.method} ${url.pathname}`];
    const send = (status: number, value: Json): void => {
        response.writeHead(status, { "content-type": "application/json;charset=utf-8" });
        response.end(`${JSON.stringify(value, undefined, 2)}\n`);
    };
    if (handler === undefined)
        return send(404, { error: `there is no ${request.method} ${url.pathname}`, endpoints: Object.keys(HANDLERS) });
    try {
        send(200, await handler(cloud, url.searchParams, body === "" ? {} : (JSON.parse(body) as unknown)));
    } catch (error) {
        send(400, { error: error instanceof Error ? error.message : String(error) });
    }
}

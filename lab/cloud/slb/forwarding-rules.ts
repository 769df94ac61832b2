import { reads, writes, type Action } from "../actions";
import { refusal, rule, type JsonObject, type ParamSpecs } from "../core";
import type { World } from "../world";
import { LISTENER_FIELDS } from "./listener-fields";
import { changeable, findGroup, findListener } from "./lookup";
import { listenerKey, type AttributeValue, type ForwardingRule, type Protocol } from "./state";

const EXISTS = rule({
    id: "slb.rule.exists",
    code: "InvalidRuleId.NotFound",
    status: 404,
    message: "The specified rule does not exist.",
    when: "the forwarding rule is unknown or was deleted",
    source: "testdata/alicloud-plugin (rule-gone)",
    enforcement: "always",
});

const WEB_LISTENER = rule({
    id: "slb.rule.web-listener",
    code: "RuleNotSupport",
    message: "Rule is not support in the tcp type listener.",
    when: "the port has no HTTP or HTTPS listener",
    source: "CLB API, common error codes",
});

const READABLE = rule({
    id: "slb.rule.list-readable",
    code: "RuleListMalformed",
    message: "the specified parameter RuleList is unavailable.",
    when: "RuleList cannot be read, is empty, or an entry has neither Domain nor Url",
    source: "CLB API, common error codes",
    enforcement: "always",
});

const NEW = rule({
    id: "slb.rule.new",
    code: "DomainExist",
    message: "rule with same domain and url already exists in specified vip",
    when: "the listener has a rule with the same domain and URL",
    source: "CLB API, common error codes",
});

const QUOTA = rule({
    id: "slb.rule.quota",
    code: "TooManyRules",
    message: "the number of rules under specified vip is beyond maximum limit.",
    when: "the listener would have more rules than `quotas.rulesPerListener`",
    source: "CLB quotas (slb_quota_rules_num); CLB API, common error codes",
});

/** Settings that a rule has of its own once it no longer follows its listener. */
const OWN = [
    "Scheduler",
    "StickySession",
    "StickySessionType",
    "CookieTimeout",
    "Cookie",
    "HealthCheck",
    "HealthCheckDomain",
    "HealthCheckURI",
    "HealthyThreshold",
    "UnhealthyThreshold",
    "HealthCheckTimeout",
    "HealthCheckInterval",
    "HealthCheckConnectPort",
    "HealthCheckHttpCode",
] as const;

const FIELDS = OWN.map((name) => {
    const field = LISTENER_FIELDS.find((candidate) => candidate.name === name && candidate.protocols.includes("http"));
    if (field === undefined) throw new Error(`no listener attribute ${name}`);
    return field;
});

/** Values that a new rule reports while it follows its listener (recorded: rule-min in testdata/alicloud-plugin). */
const INITIAL: readonly (readonly [string, AttributeValue])[] = [
    ["ListenerSync", "on"],
    ["StickySession", "off"],
    ["HealthCheck", "off"],
    ["Scheduler", "wrr"],
];

const LISTENER: ParamSpecs = {
    LoadBalancerId: { required: true },
    ListenerPort: { required: true, min: 1, max: 65535 },
};

interface GivenRule {
    readonly RuleName?: string;
    readonly Domain?: string;
    readonly Url?: string;
    readonly VServerGroupId?: string;
}

function readRules(text: string): GivenRule[] {
    try {
        const list: unknown = JSON.parse(text.includes('"') ? text : text.replaceAll("'", '"'));
        if (
            Array.isArray(list) &&
            list.length > 0 &&
            list.every((r: GivenRule | null) => Boolean(r?.Domain) || Boolean(r?.Url))
        )
            return list as GivenRule[];
    } catch {
        // Falls through to the refusal.
    }
    throw refusal(READABLE);
}

function webProtocol(world: World, loadBalancerId: string, port: number, desired: string | undefined): Protocol {
    const candidates: readonly Protocol[] =
        desired === undefined ? ["http", "https"] : [desired.toLowerCase() as Protocol];
    const found = candidates.find((protocol) => world.slb.listeners.has(listenerKey(loadBalancerId, protocol, port)));
    world.rules.check(WEB_LISTENER, found === "http" || found === "https");
    return found ?? findListener(world, loadBalancerId, "http", port).protocol;
}

function of(world: World, loadBalancerId: string, protocol: Protocol, port: number): ForwardingRule[] {
    return [...world.slb.rules.values()].filter(
        (r) => r.loadBalancerId === loadBalancerId && r.listenerPort === port && r.listenerProtocol === protocol,
    );
}

function find(world: World, id: string): ForwardingRule {
    const found = world.slb.rules.get(id);
    if (found === undefined) throw refusal(EXISTS);
    return found;
}

/** Returns a rule as answers show it. Its port is a text, unlike everywhere else. */
function view(r: ForwardingRule): JsonObject {
    return {
        RuleId: r.id,
        RuleName: r.name,
        LoadBalancerId: r.loadBalancerId,
        ListenerPort: String(r.listenerPort),
        Domain: r.domain,
        Url: r.url,
        VServerGroupId: r.serverGroupId,
        ...Object.fromEntries(r.attributes),
    };
}

export const forwardingRuleActions: readonly Action[] = [
    writes("CreateRules", { ...LISTENER, RuleList: { required: true } }, (p, world, caller) => {
        const lb = changeable(world, p.need("LoadBalancerId"), caller);
        const port = p.needInt("ListenerPort");
        const protocol = webProtocol(world, lb.id, port, p.text("ListenerProtocol"));
        const given = readRules(p.need("RuleList"));
        const known = of(world, lb.id, protocol, port);
        world.rules.check(QUOTA, known.length + given.length <= world.config.quotas.rulesPerListener);
        for (const one of given) {
            world.rules.check(NEW, !known.some((r) => r.domain === (one.Domain ?? "") && r.url === (one.Url ?? "")));
            findGroup(world, one.VServerGroupId ?? "");
        }
        const made = given.map((one): ForwardingRule => {
            const attributes = new Map<string, AttributeValue>(INITIAL);
            const { RuleName = "", Domain = "", Url = "", VServerGroupId = "" } = one;
            return {
                id: world.ids.next("rule"),
                loadBalancerId: lb.id,
                listenerPort: port,
                listenerProtocol: protocol,
                name: RuleName,
                domain: Domain,
                url: Url,
                serverGroupId: VServerGroupId,
                attributes,
            };
        });
        for (const r of made) world.slb.rules.set(r.id, r);
        return { Rules: { Rule: made.map((r) => ({ RuleId: r.id, RuleName: r.name })) } };
    }),
    writes(
        "SetRule",
        {
            RuleId: { required: true },
            ListenerSync: { allowed: ["on", "off"] },
            ...Object.fromEntries(FIELDS.map((f) => [f.name, f.limits ?? {}])),
            CookieTimeout: { min: 0, max: 86400 },
        },
        (p, world, caller) => {
            const r = find(world, p.need("RuleId"));
            changeable(world, r.loadBalancerId, caller);
            const group = p.text("VServerGroupId");
            if (group !== undefined) r.serverGroupId = findGroup(world, group).id;
            r.name = p.text("RuleName") ?? r.name;
            const sync = p.text("ListenerSync");
            if (sync !== undefined) r.attributes.set("ListenerSync", sync);
            if (sync === "on") r.attributes = new Map(INITIAL);
            for (const field of FIELDS) {
                const value = field.type === "int" ? p.int(field.name) : p.text(field.name);
                if (value !== undefined) r.attributes.set(field.name, value);
            }
        },
    ),
    writes("DeleteRules", { RuleIds: { required: true } }, (p, world, caller) => {
        const ids = p.list("RuleIds");
        const found = ids.map((id) => find(world, id));
        for (const r of found) {
            changeable(world, r.loadBalancerId, caller);
            world.slb.rules.delete(r.id);
        }
    }),
    reads("DescribeRuleAttribute", { RuleId: { required: true } }, (p, world) => view(find(world, p.need("RuleId")))),
    reads("DescribeRules", LISTENER, (p, world) => {
        const port = p.needInt("ListenerPort");
        const protocol = webProtocol(world, p.need("LoadBalancerId"), port, p.text("ListenerProtocol"));
        return { Rules: { Rule: of(world, p.need("LoadBalancerId"), protocol, port).map(view) } };
    }),
];

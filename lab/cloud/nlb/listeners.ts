import type { Action, Caller } from "../actions";
import { hasTags, rule, tokenPage, Transition, type JsonObject, type Params, type ParamSpecs } from "../core";
import type { World } from "../world";
import {
    applyTags,
    changeableListener,
    changeableLoadBalancer,
    findListener,
    findServerGroup,
    oneOf,
    QUOTA,
    tagRows,
    usableServerGroup,
} from "./common";
import { nlbReads, nlbWrites, startJob, stopDryRun } from "./jobs";
import { checkListener } from "./listener-checks";
import type { NlbListener } from "./state";

const SAME_LISTENER = rule({
    id: "nlb.listener.new",
    code: "ResourceAlreadyExist.Listener",
    message: "The specified resource listener already exists.",
    when: "the instance has a listener with the same protocol and port",
    source: "testdata/alicloud-plugin (nli-exists)",
    enforcement: "always",
});

const PORT_FREE = rule({
    id: "nlb.listener.port-free",
    code: "Conflict.Port",
    message: "The Port [%s] is conflict.",
    when: "the port or range meets that of another listener; TCP and TCPSSL share their ports, UDP has its own",
    source: "NLB API CreateListener, error codes",
});

const ID: ParamSpecs = { ListenerId: { required: true } };

/** Limits of the attributes that can be set when creating and later. */
const ATTRIBUTES: ParamSpecs = {
    ListenerDescription: { maxLength: 256, code: "IllegalParam.ListenerDescription" },
    Cps: { min: 0, max: 1_000_000, code: "IllegalParam.Cps" },
    Mss: { min: 0, max: 1500, code: "IllegalParam.Mss" },
    AlpnPolicy: {
        allowed: ["HTTP1Only", "HTTP2Only", "HTTP2Optional", "HTTP2Preferred"],
        code: "IllegalParam.AlpnPolicy",
    },
};

function span(l: Pick<NlbListener, "port" | "startPort" | "endPort">): [number, number] {
    return l.port === 0 ? [l.startPort ?? 1, l.endPort ?? 65535] : [l.port, l.port];
}

function checkPorts(world: World, listener: NlbListener): void {
    const [from, to] = span(listener);
    for (const other of world.nlb.listeners.values()) {
        if (other.loadBalancerId !== listener.loadBalancerId) continue;
        const [start, end] = span(other);
        world.rules.check(SAME_LISTENER, !(other.protocol === listener.protocol && start === from && end === to));
        const sameFamily = (other.protocol === "UDP") === (listener.protocol === "UDP");
        world.rules.check(
            PORT_FREE,
            !sameFamily || end < from || to < start,
            listener.port === 0 ? `${from}-${to}` : from,
        );
    }
}

/** Reads the attributes that a call carries on top of those in `base`. */
function read(p: Params, base: NlbListener): NlbListener {
    const lists = (name: string, before: string[]): string[] => (p.list(name).length > 0 ? p.list(name) : before);
    return {
        ...base,
        serverGroupId: p.text("ServerGroupId") ?? base.serverGroupId,
        description: p.text("ListenerDescription") ?? base.description,
        idleTimeout: p.int("IdleTimeout") ?? base.idleTimeout,
        securityPolicyId: p.text("SecurityPolicyId") ?? base.securityPolicyId,
        certificateIds: lists("CertificateIds", base.certificateIds),
        caCertificateIds: lists("CaCertificateIds", base.caCertificateIds),
        caEnabled: p.bool("CaEnabled") ?? base.caEnabled,
        alpnEnabled: p.bool("AlpnEnabled") ?? base.alpnEnabled,
        // An empty text takes the policy away.
        alpnPolicy: p.sent("AlpnPolicy") ? (p.text("AlpnPolicy") ?? "") : base.alpnPolicy,
        proxyProtocolEnabled: p.bool("ProxyProtocolEnabled") ?? base.proxyProtocolEnabled,
        proxyProtocolV2Config: { ...base.proxyProtocolV2Config, ...readV2(p) },
        secSensorEnabled: p.bool("SecSensorEnabled") ?? base.secSensorEnabled,
        cps: p.int("Cps") ?? base.cps,
        mss: p.int("Mss") ?? base.mss,
    };
}

const V2_FLAGS = ["Ppv2VpcIdEnabled", "Ppv2PrivateLinkEpIdEnabled", "Ppv2PrivateLinkEpsIdEnabled"] as const;

/** Reads the proxy protocol's extra fields from a JSON text or from flattened parameters. */
function readV2(p: Params): Record<string, boolean> {
    const parsed = (p.json("ProxyProtocolV2Config") ?? {}) as Record<string, unknown>;
    const flags = V2_FLAGS.map((name): [string, boolean | undefined] => [
        name,
        parsed[name] === undefined ? p.bool(`ProxyProtocolV2Config.${name}`) : String(parsed[name]) === "true",
    ]);
    return Object.fromEntries(flags.filter((flag): flag is [string, boolean] => flag[1] !== undefined));
}

function blank(p: Params, protocol: string, loadBalancerId: string): NlbListener {
    return {
        id: "",
        loadBalancerId,
        protocol,
        port: p.needInt("ListenerPort"),
        startPort: p.int("StartPort"),
        endPort: p.int("EndPort"),
        serverGroupId: "",
        description: "",
        idleTimeout: protocol === "UDP" ? 90 : 900,
        securityPolicyId: protocol === "TCPSSL" ? "tls_cipher_policy_1_0" : "",
        certificateIds: [],
        caCertificateIds: [],
        additionalCertificateIds: [],
        caEnabled: false,
        alpnEnabled: false,
        alpnPolicy: "",
        proxyProtocolEnabled: false,
        proxyProtocolV2Config: Object.fromEntries(V2_FLAGS.map((name) => [name, false])),
        secSensorEnabled: false,
        cps: undefined,
        mss: 0,
        status: new Transition("Running"),
        tags: new Map(),
    };
}

function create(p: Params, world: World, caller: Caller): JsonObject {
    const lb = changeableLoadBalancer(world, p.need("LoadBalancerId"), caller);
    const draft = read(p, blank(p, p.need("ListenerProtocol").toUpperCase(), lb.id));
    const group = usableServerGroup(world, draft.serverGroupId);
    const count = [...world.nlb.listeners.values()].filter((l) => l.loadBalancerId === lb.id).length;
    const { nlbListenersPerLoadBalancer } = world.config.quotas;
    world.rules.check(QUOTA, count < nlbListenersPerLoadBalancer, "listeners", count, nlbListenersPerLoadBalancer);
    checkListener(world, draft, lb, group);
    checkPorts(world, draft);
    applyTags(world, draft.tags, p);
    stopDryRun(p);
    const given = world.ids.next("lsn");
    // A seed may ask for a complete id. Otherwise the port is part of it.
    const id = given.includes("@") ? given : `${given}@${draft.port}`;
    draft.status.go("Provisioning", "Running", world.config.delays.nlbJob, world.now());
    const listener: NlbListener = { ...draft, id };
    world.nlb.listeners.set(id, listener);
    const undo = (): void => void world.nlb.listeners.delete(id);
    return {
        ListenerId: id,
        JobId: startJob(world, caller, {
            action: "CreateListener",
            resourceType: "listener",
            resourceId: id,
            effect: () => undefined,
            undo,
        }),
    };
}

/** Starts a job that changes a listener, which is in a status of its own until then. */
function change(
    world: World,
    caller: Caller,
    listener: NlbListener,
    action: string,
    via: string,
    to: string,
    effect: () => void,
    undo?: () => void,
): JsonObject {
    const before = listener.status.now(world.now());
    listener.status.go(via, caller.jobFails ? before : to, world.config.delays.nlbJob, world.now());
    const plan = { action, resourceType: "listener", resourceId: listener.id, effect };
    return { JobId: startJob(world, caller, undo === undefined ? plan : { ...plan, undo }) };
}

function update(p: Params, world: World, caller: Caller): JsonObject {
    const listener = changeableListener(world, p.need("ListenerId"), caller);
    const next = read(p, listener);
    const lb = changeableLoadBalancer(world, listener.loadBalancerId, caller);
    const moves = next.serverGroupId !== listener.serverGroupId;
    checkListener(world, next, lb, (moves ? usableServerGroup : findServerGroup)(world, next.serverGroupId));
    stopDryRun(p);
    const { status, tags, additionalCertificateIds, nextServerGroupId, ...attributes } = next;
    const done = (): void => void delete listener.nextServerGroupId;
    const effect = (): void => {
        Object.assign(listener, attributes);
        done();
    };
    listener.nextServerGroupId = next.serverGroupId;
    return change(
        world,
        caller,
        listener,
        "UpdateListenerAttribute",
        "Configuring",
        listener.status.now(world.now()),
        effect,
        done,
    );
}

function view(world: World, l: NlbListener): JsonObject {
    return {
        ListenerId: l.id,
        LoadBalancerId: l.loadBalancerId,
        ListenerProtocol: l.protocol,
        ListenerPort: l.port,
        // Ports of a range are numbers in requests and texts in answers.
        StartPort: l.startPort === undefined ? undefined : String(l.startPort),
        EndPort: l.endPort === undefined ? undefined : String(l.endPort),
        ServerGroupId: l.serverGroupId,
        ListenerDescription: l.description,
        IdleTimeout: l.idleTimeout,
        SecurityPolicyId: l.securityPolicyId,
        CertificateIds: l.certificateIds,
        CaCertificateIds: l.caCertificateIds,
        AlpnEnabled: l.alpnEnabled,
        AlpnPolicy: l.alpnPolicy,
        CaEnabled: l.caEnabled,
        ProxyProtocolEnabled: l.proxyProtocolEnabled,
        ProxyProtocolV2Config: l.proxyProtocolV2Config,
        SecSensorEnabled: l.secSensorEnabled,
        Cps: l.cps,
        Mss: l.mss,
        ListenerStatus: l.status.now(world.now()),
        RegionId: world.region,
        Tags: tagRows(l.tags),
    };
}

function certificates(p: Params, world: World): JsonObject {
    const listener = findListener(world, p.need("ListenerId"));
    const row = (CertificateId: string, type: string, IsDefault: boolean): JsonObject => ({
        CertificateId,
        CertificateType: type,
        IsDefault,
        Status: "Associated",
    });
    const all =
        p.text("CertType") === "Ca"
            ? listener.caCertificateIds.map((id) => row(id, "Ca", true))
            : [
                  ...listener.certificateIds.map((id) => row(id, "Server", true)),
                  ...listener.additionalCertificateIds.map((id) => row(id, "Server", false)),
              ];
    const { rows, counters } = tokenPage(p, all, 20);
    return { ...counters, Certificates: rows, CertificateIds: rows.map((r) => r["CertificateId"] ?? "") };
}

const CERTIFICATE_QUOTA_NAME = "additionalcertificates";

function associate(p: Params, world: World, caller: Caller): JsonObject {
    const listener = changeableListener(world, p.need("ListenerId"), caller);
    const ids = p.list("AdditionalCertificateIds");
    const next = [...new Set([...listener.additionalCertificateIds, ...ids])];
    const { nlbExtraCertificatesPerListener } = world.config.quotas;
    world.rules.check(
        QUOTA,
        next.length <= nlbExtraCertificatesPerListener,
        CERTIFICATE_QUOTA_NAME,
        next.length,
        nlbExtraCertificatesPerListener,
    );
    checkListener(
        world,
        { ...listener, additionalCertificateIds: next },
        changeableLoadBalancer(world, listener.loadBalancerId, caller),
        findServerGroup(world, listener.serverGroupId),
    );
    stopDryRun(p);
    return change(
        world,
        caller,
        listener,
        "AssociateAdditionalCertificatesWithListener",
        "Configuring",
        listener.status.now(world.now()),
        () => {
            listener.additionalCertificateIds = next;
        },
    );
}

export const listenerActions: readonly Action[] = [
    nlbWrites(
        "CreateListener",
        {
            LoadBalancerId: { required: true },
            ListenerProtocol: {
                required: true,
                allowed: ["TCP", "UDP", "TCPSSL", "tcp", "udp", "tcpssl"],
                code: "IllegalParam.ListenerProtocol",
            },
            ListenerPort: { required: true, min: 0, max: 65535, code: "IllegalParam.Port" },
            ServerGroupId: { required: true },
            ...ATTRIBUTES,
            Tag: { maxItems: 20 },
        },
        create,
    ),
    nlbReads("GetListenerAttribute", ID, (p, world) => view(world, findListener(world, p.need("ListenerId")))),
    nlbReads("ListListeners", { MaxResults: { min: 1, max: 100 } }, (p, world) => {
        const protocol = p.text("ListenerProtocol")?.toUpperCase();
        const found = [...world.nlb.listeners.values()].filter(
            (l) =>
                oneOf(p, "ListenerIds", l.id) &&
                oneOf(p, "LoadBalancerIds", l.loadBalancerId) &&
                (protocol ?? l.protocol) === l.protocol &&
                hasTags(p, l.tags),
        );
        const { rows, counters } = tokenPage(p, found, 20);
        return { ...counters, Listeners: rows.map((l) => view(world, l)) };
    }),
    nlbWrites("UpdateListenerAttribute", { ...ID, ...ATTRIBUTES }, update),
    nlbWrites("DeleteListener", ID, (p, world, caller) => {
        const listener = changeableListener(world, p.need("ListenerId"), caller);
        stopDryRun(p);
        return change(
            world,
            caller,
            listener,
            "DeleteListener",
            "Deleting",
            "Deleting",
            () => void world.nlb.listeners.delete(listener.id),
        );
    }),
    nlbWrites("StartListener", ID, (p, world, caller) => {
        const listener = changeableListener(world, p.need("ListenerId"), caller);
        stopDryRun(p);
        return change(world, caller, listener, "StartListener", "Starting", "Running", () => undefined);
    }),
    nlbWrites("StopListener", ID, (p, world, caller) => {
        const listener = changeableListener(world, p.need("ListenerId"), caller);
        stopDryRun(p);
        return change(world, caller, listener, "StopListener", "Stopping", "Stopped", () => undefined);
    }),
    nlbReads("ListListenerCertificates", ID, certificates),
    nlbWrites(
        "AssociateAdditionalCertificatesWithListener",
        { ...ID, AdditionalCertificateIds: { required: true, maxItems: 15 } },
        associate,
    ),
    nlbWrites(
        "DisassociateAdditionalCertificatesWithListener",
        { ...ID, AdditionalCertificateIds: { required: true, maxItems: 15 } },
        (p, world, caller) => {
            const listener = changeableListener(world, p.need("ListenerId"), caller);
            stopDryRun(p);
            const ids = p.list("AdditionalCertificateIds");
            return change(
                world,
                caller,
                listener,
                "DisassociateAdditionalCertificatesWithListener",
                "Configuring",
                listener.status.now(world.now()),
                () => {
                    listener.additionalCertificateIds = listener.additionalCertificateIds.filter(
                        (id) => !ids.includes(id),
                    );
                },
            );
        },
    ),
];

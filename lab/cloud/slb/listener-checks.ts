import type { World } from "../world";
import * as rules from "./listener-rules";
import { findAcl, findGroup, findLoadBalancer, listenersOf } from "./lookup";
import { SYSTEM_TLS_POLICIES } from "./tls-policies";
import { listenerKey, type AttributeValue, type Listener, type LoadBalancer } from "./state";

type Attributes = ReadonlyMap<string, AttributeValue>;

const HASHES = ["sch", "tch", "qch"];

/** Checks the conditions on several attributes of a listener. `listener` is the listener after the call. */
export function checkListener(world: World, listener: Listener, before: Attributes | undefined): void {
    const { attributes } = listener;
    const lb = findLoadBalancer(world, listener.loadBalancerId);
    checkTargets(world, listener);
    checkAcl(world, listener, lb);
    checkHealth(world, attributes);
    checkSticky(world, attributes);
    world.rules.check(
        rules.DRAIN_COMPLETE,
        attributes.get("ConnectionDrain") !== "on" || attributes.has("ConnectionDrainTimeout"),
    );
    checkScheduler(world, attributes, before, lb);
    checkBandwidth(world, listener, lb);
    checkForward(world, listener, before);
    if (listener.protocol === "https") checkTls(world, attributes);
}

function checkTargets(world: World, listener: Listener): void {
    const group = text(listener.attributes, "VServerGroupId");
    const masterSlave = text(listener.attributes, "MasterSlaveServerGroupId");
    world.rules.check(rules.ONE_TARGET, group === "" || masterSlave === "");
    if (group !== "")
        world.rules.check(rules.GROUP_OF_INSTANCE, findGroup(world, group).loadBalancerId === listener.loadBalancerId);
    const forwards = listener.attributes.get("ListenerForward") === "on";
    world.rules.check(
        rules.TARGET_GIVEN,
        forwards || group !== "" || masterSlave !== "" || listener.attributes.has("BackendServerPort"),
    );
}

function checkAcl(world: World, listener: Listener, lb: LoadBalancer): void {
    if (listener.attributes.get("AclStatus") !== "on") return;
    world.rules.check(rules.ACL_GIVEN, listener.aclIds.length > 0, "AclId");
    world.rules.check(rules.ACL_GIVEN, listener.attributes.has("AclType"), "AclType");
    for (const id of listener.aclIds)
        world.rules.check(rules.ACL_IP_VERSION, findAcl(world, id).ipVersion === lb.addressIpVersion);
}

function checkHealth(world: World, attributes: Attributes): void {
    const uri = text(attributes, "HealthCheckURI");
    world.rules.check(rules.HEALTH_URI_FORM, uri === "" || /^\/[A-Za-z0-9\-/.%?#&_=~!@$^*+:,;|]*$/.test(uri));
    const domain = text(attributes, "HealthCheckDomain");
    world.rules.check(rules.HEALTH_DOMAIN, domain === "" || domain === "$_ip" || /^[A-Za-z0-9.-]{1,80}$/.test(domain));
    const codes = text(attributes, "HealthCheckHttpCode");
    world.rules.check(
        rules.HEALTH_CODES,
        codes === "" || codes.split(",").every((code) => /^http_[2-5]xx$/.test(code)),
    );
}

function checkSticky(world: World, attributes: Attributes): void {
    const cookie = text(attributes, "Cookie");
    world.rules.check(
        rules.COOKIE_FORM,
        /^[\x21-\x7e]*$/.test(cookie) && !/[,;]/.test(cookie) && !cookie.startsWith("$"),
    );
    if (attributes.get("StickySession") !== "on") return;
    const type = attributes.get("StickySessionType");
    world.rules.check(rules.STICKY_COMPLETE, type !== undefined, "StickySessionType");
    if (type === "insert") world.rules.check(rules.STICKY_COMPLETE, attributes.has("CookieTimeout"), "CookieTimeout");
    if (type === "server") world.rules.check(rules.STICKY_COMPLETE, cookie !== "", "Cookie");
}

function checkScheduler(world: World, attributes: Attributes, before: Attributes | undefined, lb: LoadBalancer): void {
    const scheduler = text(attributes, "Scheduler");
    const hashes = HASHES.includes(scheduler);
    world.rules.check(rules.HASH_NEEDS_GUARANTEED, !hashes || lb.spec !== "", scheduler);
    const old = before?.get("Scheduler");
    world.rules.check(rules.SCHEDULER_FIXED, old === undefined || old === scheduler || !hashes);
}

function checkBandwidth(world: World, listener: Listener, lb: LoadBalancer): void {
    if (lb.internetChargeType !== "paybybandwidth") return;
    const others = listenersOf(world, lb.id).filter(
        (l) =>
            listenerKey(l.loadBalancerId, l.protocol, l.port) !== listenerKey(lb.id, listener.protocol, listener.port),
    );
    const sum = [...others, listener].reduce(
        (total, l) => total + Math.max(0, Number(l.attributes.get("Bandwidth") ?? 0)),
        0,
    );
    world.rules.check(rules.BANDWIDTH_SUM, sum <= lb.bandwidth);
}

function checkForward(world: World, listener: Listener, before: Attributes | undefined): void {
    const { attributes } = listener;
    const fixed =
        before === undefined ||
        (["ListenerForward", "ForwardPort"] as const).every((name) => before.get(name) === attributes.get(name));
    world.rules.check(rules.FORWARD_FIXED, fixed);
    if (attributes.get("ListenerForward") !== "on") return;
    const port = attributes.get("ForwardPort");
    world.rules.check(rules.FORWARD_COMPLETE, port !== undefined);
    world.rules.check(
        rules.FORWARD_TARGET,
        world.slb.listeners.has(listenerKey(listener.loadBalancerId, "https", Number(port))),
    );
}

function checkTls(world: World, attributes: Attributes): void {
    const id = text(attributes, "ServerCertificateId");
    world.rules.check(rules.CERTIFICATE_GIVEN, id !== "");
    checkCertificate(world, id, "server");
    const ca = text(attributes, "CACertificateId");
    if (ca !== "") checkCertificate(world, ca, "ca");
    const policy = text(attributes, "TLSCipherPolicy");
    world.rules.check(rules.TLS_POLICY_KNOWN, SYSTEM_TLS_POLICIES.includes(policy), policy);
}

/** Is there such a certificate, of this kind, and is its time not over? */
export function checkCertificate(world: World, id: string, kind: "server" | "ca"): void {
    const certificate = world.slb.certificates.get(id);
    world.rules.check(rules.CERTIFICATE_EXISTS, certificate?.kind === kind);
    world.rules.check(rules.CERTIFICATE_VALID, (certificate?.expiresAt ?? Infinity) > world.now());
}

function text(attributes: Attributes, name: string): string {
    return String(attributes.get(name) ?? "");
}

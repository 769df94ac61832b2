/**
 * Policy pack and check command: several rules on the same stack, their levels and settings, the audit of a state, a
 * program without components.
 * Only a run shows what the engine gives the pack, and what it makes of its answers.
 *
 * Requirements: B34, C06, C18, C33, D05, D25, G01, G02, G04, G10, H09, H10, H11, I54.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY, type Result, type Session } from "../../lab";
import { Commands } from "../support/commands";
import { forget } from "../support/forget";
import { pattern } from "../support/pattern";
import { violation } from "../support/violation";
import { callsOf, type ServiceSpec, Stack, startWorld, stateOf, writesOf } from "../support/world";

const PACK = ["--policy-pack", "policies"];
const WEB: ServiceSpec = { name: "web", policy: "Local" };
const API: ServiceSpec = {
    name: "api",
    ports: [{ port: 81 }],
    annotations: { "protocol-port": "http:81", "idle-timeout": "30" },
};
const OPEN = "open to the Internet on TCP:80, without an access control list";

let session: Session;
let stack: Stack;
let commands: Commands;

/** A file of the lab's folder. */
function write(name: string, content: object | string): string {
    const file = path.join(session.lab.dir, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
}

const configured = (name: string, rules: object): string[] => [...PACK, "--policy-pack-config", write(name, rules)];

/** Previews the stack into a file, as a pipeline does. */
async function savePreview(file: string, ...flags: string[]): Promise<Result> {
    const result = await stack.preview("--json", "--show-sames", ...flags);
    fs.writeFileSync(file, result.text);
    return result;
}

const check = (...args: string[]) => commands.run("check", "--format", "compact", ...args);

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Stack.create(session, "policies", [WEB, API]);
    commands = new Commands(session);
});

afterAll(async () => {
    commands.stop();
    await session.lab.stop();
    forget(stack);
});

test("preview reports all advisory violations, including quotas of the whole stack", async () => {
    const text = stack.succeed(await stack.preview(...configured("quota.json", { "quota-attachments": { limit: 1 } })));
    for (const line of [
        `default/web: ${OPEN}`,
        "Service default/web: spec.externalTrafficPolicy: " +
            "with externalTrafficPolicy Local, nodes have weights by their number of pods",
        "Service default/web: calls of its address from inside the cluster are answered by the " +
            "calling node instead of the load balancer, and fail on nodes without a pod of the Service. " +
            "Remedy: let callers inside use web.default.svc.cluster.local; " +
            "or use externalTrafficPolicy Cluster, with which pods see a node's address instead of their caller's; " +
            'or, with Terway, Cluster and backend-type "eni", which keeps that; or set hostname.',
        "default/api: open to the Internet on TCP:81, without an access control list",
        "Service default/api: calls of its address from inside the cluster bypass the load balancer, " +
            "without its headers, such as X-Forwarded-For.",
        "servers: 3 of them stand behind more than the 1 instances that a machine may: ",
    ]) {
        expect(text).toContain(line);
    }
    for (const rule of [
        "exposure-open",
        "backends-scheduler",
        "access-local",
        "access-http",
        "backends-unchecked",
        "quota-attachments",
    ]) {
        expect(text).toMatch(violation("advisory", rule));
    }
    expect(text.match(/exposure-open +\(/g)).toHaveLength(1);
    expect(text).not.toMatch(/\[mandatory\]|can't run policy/);
});

test("mandatory violations stop preview and up before any write, and are all reported", async () => {
    const strict = configured("strict.json", { "exposure-open": "mandatory", "access-local": "disabled" });
    const writes = await writesOf(session, async () => {
        const text = stack.fail(await stack.preview(...strict));
        expect(text).toMatch(violation("mandatory", "exposure-open", "default/api"));
        expect(text).toMatch(violation("mandatory", "exposure-open", "default/web"));
        expect(text).not.toMatch(/access-local/);
        // Nothing is remediated by a rule that only judges: the level falls back to mandatory.
        expect(stack.fail(await stack.up(...configured("remediate.json", { "exposure-open": "remediate" })))).toMatch(
            violation("mandatory", "exposure-open"),
        );
    });
    expect(writes).toStrictEqual({});
    const services = await session.run("kubectl", ["get", "services", "--namespace", "default", "--output", "name"]);
    expect(services.text).not.toMatch(/web|api/);
});

test("the report on a preview that a policy failed names the rule, or asks for the configuration", async () => {
    const rules = { "exposure-open": "mandatory" };
    const [, , , config = ""] = configured("report.json", rules);
    const saved = path.join(session.lab.dir, "refused.json");
    stack.fail(await savePreview(saved, ...configured("report.json", rules)));
    const report = async (...args: string[]) => (await commands.run("report", saved, ...args)).text;
    const unnamed = await report();
    expect(unnamed).toMatch(/^ack-loadbalancer\/\S+: the preview failed/m);
    expect(unnamed).toMatch(
        /a policy may have refused it\n +remedy: give the configuration of the policy pack \(--config\)/,
    );
    expect(unnamed).not.toMatch(/^Unchanged/m);
    const named = await report("--config", config);
    expect(named).toMatch(/error\[exposure-open\]/);
    expect(named).not.toMatch(/a policy may have refused it/);
});

test("an exception in the configuration lets a Service pass, and an invalid setting is refused", async () => {
    const excepting = configured("except.json", {
        "exposure-open": { enforcementLevel: "mandatory", except: ["default/web", "default/a*"] },
    });
    stack.succeed(await stack.up(...excepting));
    expect((await stateOf(session)).slb.loadBalancers).toHaveLength(2);
    expect(
        stack.fail(await stack.preview(...configured("wrong.json", { "quota-backends": { limit: "many" } }))),
    ).toMatch(/quota-backends.*limit.*Invalid type/s);
    // A setting that the engine lets through is refused by the rule: for a resource, and for the whole stack.
    const unknown = { "exposure-open": { limitt: 1 }, "quota-attachments": { limitt: 1 } };
    const text = stack.fail(await stack.preview(...configured("unknown.json", unknown)));
    for (const rule of Object.keys(unknown)) {
        expect(text).toMatch(new RegExp(`error\\[policy-config\\]: ${rule}: there is no setting "limitt"`));
        expect(text).not.toMatch(/ {4}at |ConfigError/);
    }
});

test("changes of Proxy Protocol and of a listener's protocol are reported only when they happen", async () => {
    stack.write([
        { ...WEB, annotations: { "proxy-protocol": "on" } },
        { ...API, annotations: {} },
    ]);
    const text = stack.succeed(await stack.preview(...PACK));
    expect(text).toMatch(/\[advisory\].*change-interrupts/);
    expect(text).toMatch(
        pattern(
            /Service default\/web: proxyProtocol changes from "off" to "on": /,
            /Proxy Protocol cannot be switched while traffic flows/,
        ),
    );
    expect(text).toMatch(
        /Service default\/api: listener TCP:81 changes from "http" to "tcp": the listener is deleted and created again/,
    );
    expect(text).toMatch(/access-proxy-protocol/);
    stack.write([WEB, API]);
});

test("pulumi policy analyze finds the same in a stack's state, without a call", async () => {
    const audit = (...flags: string[]) =>
        session.run("pulumi", [
            "policy",
            "analyze",
            "--stack",
            stack.name,
            ...flags,
            "--non-interactive",
            "--color",
            "never",
        ]);
    const calls = await callsOf(session, async () => {
        const lenient = await audit(...PACK);
        expect([lenient.code, lenient.text]).toStrictEqual([0, lenient.text]);
        expect(lenient.text).toContain(`default/web: ${OPEN}`);
        const strict = await audit(
            ...configured("audit.json", {
                "exposure-open": "mandatory",
                "quota-backends": { enforcementLevel: "mandatory", limit: 2 },
            }),
        );
        expect(strict.code).not.toBe(0);
        expect(strict.text).toMatch(/instance default\/web: 3 backends are more than the 2/);
    });
    expect(calls).toStrictEqual({});
});

test("the check command finds the same in manifests and in a saved preview", async () => {
    const manifests = await check(stack.manifests);
    expect([manifests.code, manifests.text]).toStrictEqual([0, manifests.text]);
    expect(manifests.text).toMatch(
        new RegExp(`services\\.yaml:4:9: advisory\\[exposure-open\\]: Service default/web: ${OPEN}`),
    );

    stack.write([WEB, { ...API, annotations: { "address-type": "intranet", "vswitch-id": "vsw-lab-a" } }]);
    await stack.config("allowReplacement", '{"default/api": ["addressType", "vswitchId"]}');
    const preview = path.join(session.lab.dir, "preview.json");
    stack.succeed(await savePreview(preview));
    const { code, text } = await check("--preview", preview);
    expect({ code, text }).toStrictEqual({ code: 1, text });
    expect(text).toMatch(
        pattern(
            /mandatory\[immutability-create-only\]: Service /,
            /default\/api: addressType cannot change from "internet" to "intranet"/,
        ),
    );
    expect(text).toMatch(/advisory\[exposure-open\]: Service default\/web/);
    await stack.config("allowReplacement", "{}");
    stack.write([WEB, API]);
});

test("pack, check command and quotas apply the NLB's rules to a Service with an NLB", async () => {
    const annotations = {
        "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b",
        "protocol-port": "tcpssl:443",
        "cert-id": "cert-one",
        "acl-status": "on",
    };
    const net: ServiceSpec = {
        name: "net",
        loadBalancerClass: "ack-loadbalancer.io/nlb",
        policy: "Local",
        annotations,
        ports: [{ port: 443 }],
    };
    await session.cloud("/_seed", { certificates: [{ id: "cert-one" }] });
    stack.write([WEB, API, net]);
    const strict = configured("nlb.json", {
        "exposure-tls": "mandatory",
        "quota-backends": { nlbLimit: 1 },
        "quota-attachments": { nlbLimit: 1 },
    });
    const since = await session.lastCall();
    const text = stack.fail(await stack.preview(...strict));
    for (const line of [
        "default/net: open to the Internet on TCP:443, without a security group",
        "Service default/net: the TCPSSL listeners speak TLS 1.0 (tls_cipher_policy_1_0, the default); " +
            "at least 1.2 is required",
        "the annotation applies to a CLB only, but the Service gets an NLB",
        "instance default/net: 3 backends are more than the 1 that an instance takes",
    ]) {
        expect(text).toContain(line);
    }
    expect(text).toMatch(violation("mandatory", "exposure-tls", "default/net"));
    expect(text).not.toMatch(/access-local +\(.*default\/net|default\/net: calls of its address/);
    expect((await session.calls(since)).every((call) => !call.mutating)).toBeTruthy();
    const { code, text: checked } = await check(stack.manifests);
    expect({ code, checked }).toStrictEqual({ code: 0, checked });
    expect(checked).toMatch(/advisory\[exposure-tls\]: Service default\/net/);
    stack.write([WEB, API]);
});

const PROGRAM = `
const k8s = require("@pulumi/kubernetes");
const slb = require("@pulumi/alicloud/slb");
const nlb = require("@pulumi/alicloud/nlb");
const key = (name) => "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-" + name;
const service = (name, annotations) => new k8s.core.v1.Service(name, {
    metadata: { name, namespace: "default", annotations: { "pulumi.com/skipAwait": "true", ...annotations } },
    spec: { type: "LoadBalancer", selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] },
});
const edge = new slb.ApplicationLoadBalancer("edge", {
    addressType: "internet",
    loadBalancerSpec: "slb.s1.small",
    tags: { "ack.aliyun.com": "c1" },
});
const acl = new slb.Acl("office", { name: "office", ipVersion: "ipv4" });
new slb.Listener("door", {
    loadBalancerId: edge.id,
    frontendPort: 443,
    protocol: "https",
    bandwidth: -1,
    serverCertificateId: "cert-1",
    aclStatus: "on",
    aclType: "white",
    aclIds: [acl.id],
});
const net = new nlb.LoadBalancer("net", {
    addressType: "Intranet",
    vpcId: "vpc-lab",
    zoneMappings: [
        { zoneId: "cn-hangzhou-a", vswitchId: "vsw-lab-a" },
        { zoneId: "cn-hangzhou-b", vswitchId: "vsw-lab-b" },
    ],
});
const group = new nlb.ServerGroup("group", {
    serverGroupName: "k8s.30080.TCP.web.shop.c1",
    vpcId: "vpc-lab",
    healthCheck: { healthCheckEnabled: true },
});
new nlb.Listener("gate", {
    loadBalancerId: net.id,
    serverGroupId: group.id,
    listenerPort: 443,
    listenerProtocol: "TCPSSL",
    certificateIds: ["cert-1"],
});
service("first", { [key("id")]: "lb-existing" });
service("second", { [key("id")]: "lb-existing", [key("shceduler")]: "wrr" });
`;

test("the pack checks Services for CCM and handwritten cloud resources", async () => {
    const cwd = path.dirname(write("by-hand/Pulumi.yaml", "name: by-hand\nruntime: nodejs\n"));
    write("by-hand/index.js", PROGRAM);
    write("by-hand/package.json", { name: "by-hand", main: "index.js" });
    fs.symlinkSync(path.join(REPOSITORY, "node_modules"), path.join(cwd, "node_modules"));
    const pulumi = (...args: string[]) => session.run("pulumi", [...args, "--non-interactive"], { cwd });
    stack.succeed(await pulumi("stack", "init", "dev"));
    const since = await session.lastCall();
    const text = stack.fail(
        await pulumi(
            "preview",
            "--stack",
            "dev",
            "--color",
            "never",
            "--policy-pack",
            path.join(REPOSITORY, "policies"),
        ),
    );
    for (const message of [
        /\[mandatory\].*annotations-values .*second/,
        /did you mean "service\.beta\.kubernetes\.io\/alibaba-cloud-loadbalancer-scheduler"\?/,
        /\[mandatory\].*naming-owner-tags .*edge/,
        /\[mandatory\].*reuse-port-claimed /,
        // The engine takes resources that depend on nothing in any order.
        pattern(
            /Services default\/(?:first and default\/second|second and default\/first) /,
            /both use listener tcp:80 of load balancer lb-existing/,
        ),
        /\[advisory\].*protection-switched-off .*edge/,
        /\[advisory\].*exposure-tls .*door/,
        /\[mandatory\].*naming-owner-marks .*group/,
        /\[advisory\].*protection-switched-off .*net/,
        /\[advisory\].*exposure-tls .*gate/,
        /the listener uses the list office \(white\), which has no entries/,
    ]) {
        expect(text).toMatch(message);
    }
    expect((await session.calls(since)).filter((call) => call.mutating)).toStrictEqual([]);
});

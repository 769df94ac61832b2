/** Requirements: D09, D34. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as tls from "node:tls";
import { setTimeout as pause } from "node:timers/promises";
import {
    CloudError,
    createCloud,
    describeVSwitch,
    findEnis,
    RateLimiter,
    type Cloud,
    type CloudOptions,
} from "../provider/cloud";
import { addAclEntries, describeAcl } from "../provider/clb/acl";
import {
    addBackends,
    deleteServerGroup,
    describeServerGroup,
    describeServerGroups,
    removeBackends,
    setBackends,
} from "../provider/clb/server-group";
import { deleteListener, describeListener, setListener, startListener } from "../provider/clb/listener";
import {
    deleteLoadBalancer,
    describeLoadBalancer,
    findLoadBalancersByName,
    findLoadBalancersByTag,
    setDeleteProtection,
} from "../provider/clb/load-balancer";
import { listTags, removeTags, setTags } from "../provider/clb/tags";
import type { Backend } from "../provider/schema/backend";
import { pattern } from "./support/pattern";
import { REPOSITORY } from "./support/repository";

/** The cloud client against the simulated cloud, which runs as a separate process and accepts TLS only. */

let dir: string;
let child: ChildProcess;
let lab: string;
let environment: Record<string, string>;
let cloud: Cloud;

beforeAll(async () => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), "cloud-client-"));
    child = spawn(process.execPath, [path.join(REPOSITORY, "dist/lab/cloud/main.js"), "serve", "--dir", dir], {
        stdio: ["ignore", "inherit", "inherit"],
    });
    const facts = await ready(path.join(dir, "cloud.json"));
    lab = facts.url;
    environment = {
        ALIBABA_CLOUD_ACCESS_KEY_ID: facts.accessKeyId,
        ALIBABA_CLOUD_ACCESS_KEY_SECRET: fs.readFileSync(facts.secretFile, "utf8"),
        ALIBABA_CLOUD_REGION: facts.region,
        ...Object.fromEntries(
            ["SLB", "ECS", "VPC"].map((product) => [`ALIBABA_CLOUD_ENDPOINT_${product}`, `127.0.0.1:${facts.port}`]),
        ),
    };
    // Does what NODE_EXTRA_CA_CERTS does at the start of a process, but for a process that runs already.
    tls.setDefaultCACertificates([...tls.getCACertificates("default"), fs.readFileSync(facts.caFile, "utf8")]);
    await steer("POST", "/_seed", {
        instances: Array.from({ length: 50 }, (_, index) => ({ id: `i-${index}`, privateIp: `10.0.1.${index}` })),
        networkInterfaces: Array.from({ length: 12 }, (_, eni) => ({
            id: `eni-${eni}`,
            instanceId: `i-${eni}`,
            privateIps: Array.from({ length: 10 }, (_, pod) => `10.0.${10 + eni}.${pod}`),
        })),
    });
    cloud = open();
});

afterAll(async () => {
    const ended =
        child.exitCode === null && child.signalCode === null
            ? new Promise((resolve) => child.once("exit", resolve))
            : undefined;
    child.kill("SIGTERM");
    await ended;
    fs.rmSync(dir, { recursive: true, force: true });
});

interface Facts {
    readonly url: string;
    readonly port: number;
    readonly caFile: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretFile: string;
}

async function ready(file: string): Promise<Facts> {
    for (;;) {
        if (child.exitCode !== null) throw new Error(`the simulated cloud ended with code ${child.exitCode}`);
        try {
            return JSON.parse(fs.readFileSync(file, "utf8")) as Facts;
        } catch {
            await pause(20);
        }
    }
}

async function steer(method: string, where: string, body?: unknown): Promise<unknown> {
    const response = await fetch(lab + where, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${await response.text()}`);
    return response.json();
}

/** Opens a client with short waits, whose length is not tested. */
function open(options: Partial<CloudOptions> = {}): Cloud {
    const quick = { baseMs: 5, capMs: 20 };
    return createCloud({
        env: environment,
        limiter: new RateLimiter(),
        backoff: { throttled: quick, busy: quick, unavailable: quick, uncertain: quick },
        ...options,
    });
}

/** Actions that the cloud was asked during some work, in order. */
async function watched<T>(work: () => Promise<T>): Promise<{ result: T; actions: string[] }> {
    await steer("DELETE", "/_calls");
    const result = await work();
    const calls = (await steer("GET", "/_calls?origin=api")) as readonly { action: string }[];
    return { result, actions: calls.map(({ action }) => action) };
}

async function failureOf(work: Promise<unknown>): Promise<CloudError> {
    const error: unknown = await work.then(
        () => undefined,
        (reason: unknown) => reason,
    );
    if (!(error instanceof CloudError)) throw new Error(String(error));
    return error;
}

async function newLoadBalancer(name: string): Promise<string> {
    const answer = await cloud.call("slb", "CreateLoadBalancer", {
        LoadBalancerName: name,
        AddressType: "internet",
        InstanceChargeType: "PayByCLCU",
    });
    return String(answer["LoadBalancerId"]);
}

async function newServerGroup(loadBalancerId: string, name: string): Promise<string> {
    const made = await cloud.call("slb", "CreateVServerGroup", {
        LoadBalancerId: loadBalancerId,
        VServerGroupName: name,
    });
    return String(made["VServerGroupId"]);
}

const nodes = (count: number, weight = 100): Backend[] =>
    Array.from({ length: count }, (_, index) => ({
        address: `i-${index}`,
        port: 30080,
        weight,
        mark: "k8s/80/web/default/c1",
    }));

test("45 backends need three calls, and one weight one call", async () => {
    const group = await newServerGroup(await newLoadBalancer("batches"), "k8s/80/web/default/c1");
    const added = await watched(() => addBackends(cloud, group, nodes(45)));
    expect(added.actions).toStrictEqual(Array<string>(3).fill("AddVServerGroupBackendServers"));
    const changed = await watched(() => setBackends(cloud, group, [{ ...(nodes(1)[0] as Backend), weight: 7 }]));
    expect(changed.actions).toStrictEqual(["SetVServerGroupAttribute"]);

    const found = await describeServerGroup(cloud, group);
    const wanted = nodes(45).map((backend) => (backend.address === "i-0" ? { ...backend, weight: 7 } : backend));
    expect(found?.backends.toSorted(byServer)).toStrictEqual(wanted.sort(byServer));
    expect(found?.name).toBe("k8s/80/web/default/c1");

    const removed = await watched(() => removeBackends(cloud, group, nodes(45).slice(0, 25)));
    expect(removed.actions).toStrictEqual(Array<string>(2).fill("RemoveVServerGroupBackendServers"));
    expect((await describeServerGroup(cloud, group))?.backends).toHaveLength(20);
});

const byServer = (a: Backend, b: Backend): number => a.address.localeCompare(b.address);

test("pods are members by interface and address, also several of one interface", async () => {
    const ips = Array.from({ length: 120 }, (_, index) => `10.0.${10 + Math.floor(index / 10)}.${index % 10}`);
    const { result: enis, actions } = await watched(() => findEnis(cloud, [...ips, "10.0.99.99"]));
    expect(actions).toStrictEqual(["DescribeNetworkInterfaces", "DescribeNetworkInterfaces"]);
    expect(enis.size).toBe(120);
    expect(enis.get("10.0.11.3")).toBe("eni-1");

    const group = await newServerGroup(await newLoadBalancer("pods"), "k8s/8080/web/default/c1");
    const pods = ips
        .slice(0, 15)
        .map((ip): Backend => ({ address: ip, eni: enis.get(ip) ?? "", port: 8080, weight: 100, mark: "d" }));
    await addBackends(cloud, group, pods);
    await setBackends(cloud, group, [{ ...(pods[3] as Backend), weight: 0 }]);
    await removeBackends(cloud, group, pods.slice(10));
    const found = await describeServerGroup(cloud, group);
    expect(found?.backends.map(({ eni, address, weight }) => `${eni} ${address} ${weight}`).sort()).toStrictEqual(
        pods
            .slice(0, 10)
            .map(({ eni, address }, index) => `${eni} ${address} ${index === 3 ? 0 : 100}`)
            .sort(),
    );
});

test("a wrong secret and an unknown key are typed errors with a remedy and no retry", async () => {
    const wrong = await failureOf(
        open({ env: { ...environment, ALIBABA_CLOUD_ACCESS_KEY_SECRET: "wrong-secret" } }).call(
            "slb",
            "DescribeLoadBalancers",
        ),
    );
    expect([wrong.code, wrong.attempts, wrong.kind]).toStrictEqual(["SignatureDoesNotMatch", 1, "final"]);
    expect(wrong.remedy ?? "").toMatch(/ALIBABA_CLOUD_ACCESS_KEY_SECRET/);
    expect(wrong.message).not.toMatch(/wrong-secret|LTAI/);
    const unknown = await failureOf(
        open({ env: { ...environment, ALIBABA_CLOUD_ACCESS_KEY_ID: "LTAIunknown" } }).call(
            "slb",
            "DescribeLoadBalancers",
        ),
    );
    expect(unknown.code).toBe("InvalidAccessKeyId.NotFound");
});

test("calls are retried after throttling, a busy group and a broken connection", async () => {
    const group = await newServerGroup(await newLoadBalancer("faults"), "g");
    for (const fault of [
        { code: "Throttling.User" },
        { code: "VServerGroupProcessing" },
        { code: "ServiceIsConfiguring" },
        { code: "ServiceUnavailable", status: 503 },
    ]) {
        await steer("POST", "/_faults", { action: "AddVServerGroupBackendServers", times: 3, ...fault });
        const { actions } = await watched(() => addBackends(cloud, group, nodes(1)));
        expect([fault, actions.length]).toStrictEqual([fault, 4]);
        await removeBackends(cloud, group, nodes(1));
    }
    await steer("POST", "/_faults", { action: "DescribeVServerGroupAttribute", times: 2, drop: true });
    expect((await describeServerGroup(cloud, group))?.name).toBe("g");
});

test("after a lost response backends are read and not added twice", async () => {
    const group = await newServerGroup(await newLoadBalancer("lost"), "g");
    await steer("POST", "/_faults", { action: "AddVServerGroupBackendServers", times: 1, dropAfterEffect: true });
    const { actions } = await watched(() => addBackends(cloud, group, nodes(25)));
    expect(actions).toStrictEqual([
        "AddVServerGroupBackendServers",
        "DescribeVServerGroupAttribute",
        "AddVServerGroupBackendServers",
    ]);
    expect((await describeServerGroup(cloud, group))?.backends).toHaveLength(25);
});

test("a creation with a lost response has an unknown outcome", async () => {
    const loadBalancerId = await newLoadBalancer("once");
    await steer("POST", "/_faults", { action: "CreateVServerGroup", times: 1, dropAfterEffect: true });
    expect((await failureOf(newServerGroup(loadBalancerId, "once"))).uncertain).toBe(true);
    expect((await describeServerGroups(cloud, loadBalancerId)).map(({ name }) => name)).toStrictEqual(["once"]);
});

test("an unavailable service ends in a typed error with the number of tries", async () => {
    const { ids } = (await steer("POST", "/_faults", {
        action: "DescribeLoadBalancers",
        code: "ServiceUnavailable",
        status: 503,
        message: "The request has failed due to a temporary failure of the server.",
    })) as { ids: string[] };
    const failure = await failureOf(cloud.call("slb", "DescribeLoadBalancers"));
    expect([failure.code, failure.kind, failure.httpStatus, failure.attempts]).toStrictEqual([
        "ServiceUnavailable",
        "unavailable",
        503,
        8,
    ]);
    expect(failure.message).toMatch(
        pattern(
            /^DescribeLoadBalancers failed: ServiceUnavailable: .*\(request id [^,]+, 8 tries\)\n/,
            / {2}cause: .*\n {2}remedy: /,
        ),
    );
    await steer("DELETE", `/_faults?id=${ids[0]}`);
    await cloud.call("slb", "DescribeLoadBalancers");
});

test("load balancers are found by tag and exact name, protected, tagged and deleted", async () => {
    const names = Array.from({ length: 3 }, (_, index) => `find-${index}`);
    const ids = [];
    for (const name of names) {
        const id = await newLoadBalancer(name);
        await setTags(cloud, id, { "kubernetes.do.not.delete": "a123", team: name });
        ids.push(id);
    }
    const byTag = await findLoadBalancersByTag(cloud, { "kubernetes.do.not.delete": "a123" });
    expect(byTag.map(({ id }) => id).sort()).toStrictEqual([...ids].sort());
    expect((await findLoadBalancersByName(cloud, "find-1")).map(({ id }) => id)).toStrictEqual([ids[1]]);

    const id = ids[0] as string;
    await removeTags(cloud, id, ["team"]);
    const { team, ...tags } = await listTags(cloud, id);
    expect([team, tags["kubernetes.do.not.delete"]]).toStrictEqual([undefined, "a123"]);

    await setDeleteProtection(cloud, id, "on");
    expect((await describeLoadBalancer(cloud, id))?.deleteProtection).toBe("on");
    const refused = await failureOf(deleteLoadBalancer(cloud, id));
    expect(refused.remedy ?? "").toMatch(/delete-protection/);
    await setDeleteProtection(cloud, id, "off");
    await deleteLoadBalancer(cloud, id);
    expect(await describeLoadBalancer(cloud, id)).toBeUndefined();
    await deleteLoadBalancer(cloud, id);
});

test("listeners are created, started, updated and deleted, and their group only after them", async () => {
    const loadBalancerId = await newLoadBalancer("listeners");
    const group = await newServerGroup(loadBalancerId, "g");
    expect(await describeServerGroups(cloud, loadBalancerId)).toStrictEqual([{ id: group, name: "g" }]);
    await cloud.call("slb", "CreateLoadBalancerTCPListener", {
        LoadBalancerId: loadBalancerId,
        ListenerPort: 80,
        Bandwidth: -1,
        VServerGroupId: group,
        Scheduler: "wrr",
        healthCheckInterval: 7,
    });
    await startListener(cloud, { loadBalancerId, protocol: "tcp", port: 80 });
    await setListener(cloud, { loadBalancerId, protocol: "tcp", port: 80 }, { Scheduler: "rr" });
    const found = await describeListener(cloud, { loadBalancerId, protocol: "tcp", port: 80 });
    expect([
        found?.["Scheduler"],
        found?.["Status"],
        found?.["HealthCheckInterval"],
        found?.["VServerGroupId"],
    ]).toStrictEqual(["rr", "running", 7, group]);
    expect((await describeLoadBalancer(cloud, loadBalancerId))?.listeners).toStrictEqual([
        { protocol: "tcp", port: 80 },
    ]);

    const used = await failureOf(deleteServerGroup(cloud, group));
    expect(used.code).toBe("RspoolVipExist");
    expect(used.remedy ?? "").toMatch(/Delete the listener/);

    await deleteListener(cloud, { loadBalancerId, protocol: "tcp", port: 80 });
    expect(await describeListener(cloud, { loadBalancerId, protocol: "tcp", port: 80 })).toBeUndefined();
    await deleteListener(cloud, { loadBalancerId, protocol: "tcp", port: 80 });
    await deleteServerGroup(cloud, group);
    expect(await describeServerGroup(cloud, group)).toBeUndefined();
    await deleteServerGroup(cloud, group);
});

test("access control lists may have more entries than one call accepts", async () => {
    const id = String((await cloud.call("slb", "CreateAccessControlList", { AclName: "office" }))["AclId"]);
    const entries = Array.from({ length: 70 }, (_, index) => ({ entry: `10.${index}.0.0/16`, comment: `n${index}` }));
    const { actions } = await watched(() => addAclEntries(cloud, id, entries));
    expect(actions).toHaveLength(2);
    expect((await describeAcl(cloud, id))?.entries).toHaveLength(70);
    expect(await describeAcl(cloud, "acl-none")).toBeUndefined();
});

test("vSwitches are read with their VPC", async () => {
    expect((await describeVSwitch(cloud, "vsw-lab-a"))?.vpcId).toBe("vpc-lab");
    expect(await describeVSwitch(cloud, "vsw-none")).toBeUndefined();
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "yaml";
import { identify, isAlive, signal, startTime, startTimeFromPs, terminate } from "./identity";
import { parseKubeconfig, writeKubeconfig } from "./kubeconfig";
import { freeInternalIp, instanceIdFor, nodeObject } from "./nodes";
import { freePorts } from "./ports";
import { PROGRAMS } from "./layout";
import { commandLine, DEFAULT_NETWORK, healthUrl, STOP_ORDER, type Ports } from "./programs";
import type { Tools } from "./sources";
import { adaptStage, READY_ANNOTATION } from "./stages";
import { claim, readState, writeState, type ClusterState } from "./state";

test("free ports are different and can be listened on", async () => {
    const ports = await freePorts(5);
    assert.equal(new Set(ports).size, 5);
    for (const port of ports) {
        const server = createServer();
        await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
        await new Promise((resolve) => server.close(resolve));
    }
});

test("a kubeconfig gives back what was written, and other kubeconfigs are refused", () => {
    fc.assert(
        fc.property(
            fc.webUrl(),
            fc.string({ minLength: 1 }),
            fc.string({ minLength: 1 }),
            (server, certificate, token) => {
                const access = { server, certificate, token };
                assert.deepEqual(parseKubeconfig(writeKubeconfig(access)), access);
            },
        ),
    );
    const text = writeKubeconfig({ server: "https://127.0.0.1:1", certificate: "c", token: "t" });
    assert.throws(() => parseKubeconfig(text.replace("token:", "password:")), /it needs server/);
    assert.throws(() => parseKubeconfig(""), /it needs server/);
});

test("a process is known by its number and its start", async () => {
    const child = spawn("sleep", ["600"]);
    const identity = identify(child.pid ?? 0);
    assert.ok(isAlive(identity));
    assert.notEqual(startTimeFromPs(identity.pid), undefined);
    const recycled = { ...identity, started: "another time" };
    assert.ok(!isAlive(recycled));
    signal(recycled, "SIGKILL");
    await terminate(recycled, 0);
    assert.ok(isAlive(identity), "a process with the number of a dead one is not touched");
    await terminate(identity, 10_000);
    assert.ok(!isAlive(identity));
    assert.equal(startTime(identity.pid), undefined);
    assert.equal(startTimeFromPs(identity.pid), undefined);
    assert.throws(() => identify(identity.pid), /no process/);
});

test("a process that ignores SIGTERM is ended after its grace", async () => {
    const child = spawn("sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done"], {
        stdio: ["ignore", "pipe", "ignore"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const ended = new Promise((resolve) => child.once("exit", (_, name) => resolve(name)));
    await terminate(identify(child.pid ?? 0), 100);
    assert.equal(await ended, "SIGKILL");
});

test("a zombie counts as ended", async () => {
    // The shell's child ends while the shell itself has become a program that reaps nobody.
    const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 600"], { stdio: ["ignore", "pipe", "ignore"] });
    const pid = Number(await new Promise<Buffer>((resolve) => parent.stdout.once("data", resolve)));
    while (startTime(pid) !== undefined) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(startTimeFromPs(pid), undefined);
    await terminate(identify(parent.pid ?? 0), 10_000);
});

test("a folder is claimed once, and its state is read back", async () => {
    const dir = mkdtempSync(join(tmpdir(), "ack-lb-state-"));
    try {
        const state: ClusterState = {
            phase: "starting",
            detached: false,
            supervisor: identify(process.pid),
            programs: [],
            startedAt: "2026-01-01T00:00:00.000Z",
        };
        assert.equal(await readState(dir), undefined);
        const claims = await Promise.all([claim(dir, state), claim(dir, state), claim(dir, state)]);
        assert.deepEqual(claims.filter((won) => won).length, 1);
        assert.deepEqual(await readState(dir), state);
        const later: ClusterState = { ...state, phase: "ready", programs: [{ name: "etcd", pid: 1, started: "x" }] };
        await writeState(dir, later);
        assert.deepEqual(await readState(dir), later);
    } finally {
        rmSync(dir, { recursive: true });
    }
});

test("only kwok's node-initialize is changed, by one more condition", () => {
    const text =
        "metadata:\n  name: node-initialize\nspec:\n  selector:\n    matchExpressions:\n    - {key: a, operator: NotIn, values: [b]}\n";
    const { spec } = parse(adaptStage(text)) as { spec: { selector: { matchExpressions: unknown[] } } };
    assert.deepEqual(spec.selector.matchExpressions, [
        { key: "a", operator: "NotIn", values: ["b"] },
        { key: `.metadata.annotations["${READY_ANNOTATION}"]`, operator: "NotIn", values: ["false"] },
    ]);
    const other = text.replace("node-initialize", "pod-ready");
    assert.equal(adaptStage(other), other);
});

test("addresses and instance ids of nodes", () => {
    assert.equal(freeInternalIp(new Set()), "192.168.0.10");
    assert.equal(freeInternalIp(new Set(["192.168.0.10", "192.168.0.12"])), "192.168.0.11");
    const used = new Set<string>();
    for (let i = 0; i < 600; i++) used.add(freeInternalIp(used));
    assert.equal(used.size, 600);
    for (const address of used) assert.match(address, /^192\.168\.[0-2]\.([1-9]\d?|1\d\d|2[0-4]\d|25[0-4])$/);
    fc.assert(fc.property(fc.string(), (name) => assert.match(instanceIdFor(name), /^i-bp1[0-9a-z]{17}$/)));
    assert.notEqual(instanceIdFor("a"), instanceIdFor("b"));
});

test("a node object carries what was asked for", () => {
    const node = nodeObject({
        name: "n",
        internalIp: "10.0.0.1",
        zone: "cn-shanghai-b",
        instanceId: "i-1",
        role: "control-plane",
        labels: { a: "b" },
        ready: false,
        unschedulable: true,
        podCidr: "10.1.0.0/24",
    }) as ReturnType<typeof JSON.parse>;
    assert.equal(node.spec.providerID, "cn-shanghai.i-1");
    assert.equal(node.spec.unschedulable, true);
    assert.deepEqual(node.spec.podCIDRs, ["10.1.0.0/24"]);
    assert.deepEqual(node.spec.taints, [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }]);
    assert.equal(node.metadata.labels["node-role.kubernetes.io/control-plane"], "");
    assert.equal(node.metadata.labels["topology.kubernetes.io/region"], "cn-shanghai");
    assert.equal(node.metadata.labels.a, "b");
    assert.equal(node.metadata.annotations[READY_ANNOTATION], "false");
    assert.equal(node.status.conditions[0].status, "False");
    assert.equal(node.status.addresses[0].address, "10.0.0.1");
});

test("a machine that is no ECS instance has a providerID of its own, or none", () => {
    const providerOf = (providerId: string) =>
        (nodeObject({ name: "n", internalIp: "10.0.0.1", providerId }) as ReturnType<typeof JSON.parse>).spec
            .providerID;
    assert.deepEqual(["ens-1", ""].map(providerOf), ["ens-1", ""]);
});

test("every program listens on 127.0.0.1 only, on its own port", () => {
    const ports: Ports = {
        etcd: 1001,
        "kube-apiserver": 1002,
        "kube-controller-manager": 1003,
        "kube-scheduler": 1004,
        kwok: 1005,
    };
    const tools = {
        binaries: Object.fromEntries(PROGRAMS.map((name) => [name, `/bin/${name}`])) as Tools["binaries"],
        stages: "",
    };
    for (const name of STOP_ORDER) {
        const line = commandLine(name, "/dir", tools, ports, DEFAULT_NETWORK, ["/dir/stage.yaml"]);
        assert.equal(line[0], `/bin/${name}`);
        const text = line.join(" ");
        assert.ok(text.includes(String(ports[name])), text);
        assert.match(
            text,
            /--bind-address=127\.0\.0\.1|--listen-client-urls=http:\/\/127\.0\.0\.1:|--server-address=127\.0\.0\.1:/,
        );
        assert.ok(healthUrl(name, ports).includes(`//127.0.0.1:${ports[name]}/`));
    }
});

import { expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "yaml";
import { identify, isAlive, signal, startTime, startTimeFromPs, terminate } from "../build/identity";
import { parseKubeconfig, writeKubeconfig } from "./kubeconfig";
import { freeInternalIp, instanceIdFor, nodeObject } from "./nodes";
import { freePorts } from "./ports";
import { PROGRAMS } from "./layout";
import { commandLine, DEFAULT_NETWORK, healthUrl, STOP_ORDER, type Ports } from "./programs";
import type { Tools } from "./sources";
import { adaptStage, READY_ANNOTATION } from "./stages";
import { claim, readState, writeState, type ClusterState } from "./state";

test("free ports differ and can be listened on", async () => {
    const ports = await freePorts(5);
    expect(new Set(ports).size).toBe(5);
    for (const port of ports) {
        const server = createServer();
        await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
        await new Promise((resolve) => server.close(resolve));
    }
});

test("a kubeconfig is read as it was written, and kubeconfigs of other clusters are refused", () => {
    fc.assert(
        fc.property(
            fc.webUrl(),
            fc.string({ minLength: 1 }),
            fc.string({ minLength: 1 }),
            (server, certificate, token) => {
                const access = { server, certificate, token };
                expect(parseKubeconfig(writeKubeconfig(access))).toStrictEqual(access);
            },
        ),
    );
    const text = writeKubeconfig({ server: "https://127.0.0.1:1", certificate: "c", token: "t" });
    expect(() => parseKubeconfig(text.replace("token:", "password:"))).toThrow(/it needs server/);
    expect(() => parseKubeconfig("")).toThrow(/it needs server/);
});

test("a process is identified by its number and start time", async () => {
    const child = spawn("sleep", ["600"]);
    const identity = identify(child.pid ?? 0);
    expect(isAlive(identity)).toBe(true);
    expect(startTimeFromPs(identity.pid)).not.toBeUndefined();
    const recycled = { ...identity, started: "another time" };
    expect(isAlive(recycled)).toBe(false);
    signal(recycled, "SIGKILL");
    await terminate(recycled, 0);
    // A process that reuses the number of a dead process is not touched.
    expect(isAlive(identity)).toBe(true);
    await terminate(identity, 10_000);
    expect(isAlive(identity)).toBe(false);
    expect(startTime(identity.pid)).toBeUndefined();
    expect(startTimeFromPs(identity.pid)).toBeUndefined();
    expect(() => identify(identity.pid)).toThrow(/no process/);
});

test("a process that ignores SIGTERM is killed after the grace period", async () => {
    const child = spawn("sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done"], {
        stdio: ["ignore", "pipe", "ignore"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const ended = new Promise((resolve) => child.once("exit", (_, name) => resolve(name)));
    await terminate(identify(child.pid ?? 0), 100);
    expect(await ended).toBe("SIGKILL");
});

test("a zombie counts as ended", async () => {
    // The shell's child ends while the shell itself has become a program that reaps no children.
    const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 600"], { stdio: ["ignore", "pipe", "ignore"] });
    const pid = Number(await new Promise<Buffer>((resolve) => parent.stdout.once("data", resolve)));
    while (startTime(pid) !== undefined) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(startTimeFromPs(pid)).toBeUndefined();
    await terminate(identify(parent.pid ?? 0), 10_000);
});

test("a folder is claimed once, and its state can be read", async () => {
    const dir = mkdtempSync(join(tmpdir(), "ack-lb-state-"));
    try {
        const state: ClusterState = {
            phase: "starting",
            detached: false,
            supervisor: identify(process.pid),
            programs: [],
            startedAt: "2026-01-01T00:00:00.000Z",
        };
        expect(await readState(dir)).toBeUndefined();
        const claims = await Promise.all([claim(dir, state), claim(dir, state), claim(dir, state)]);
        expect(claims.filter((won) => won).length).toStrictEqual(1);
        expect(await readState(dir)).toStrictEqual(state);
        const later: ClusterState = { ...state, phase: "ready", programs: [{ name: "etcd", pid: 1, started: "x" }] };
        await writeState(dir, later);
        expect(await readState(dir)).toStrictEqual(later);
    } finally {
        rmSync(dir, { recursive: true });
    }
});

test("kwok's stages exclude nodes that are held back and readiness gates", () => {
    const text =
        "metadata:\n  name: node-initialize\nspec:\n  selector:\n" +
        "    matchExpressions:\n    - {key: a, operator: NotIn, values: [b]}\n";
    const { spec } = parse(adaptStage(text)) as { spec: { selector: { matchExpressions: unknown[] } } };
    expect(spec.selector.matchExpressions).toStrictEqual([
        { key: "a", operator: "NotIn", values: ["b"] },
        { key: `.metadata.annotations["${READY_ANNOTATION}"]`, operator: "NotIn", values: ["false"] },
    ]);
    const other = text.replace("node-initialize", "pod-complete");
    expect(adaptStage(other)).toBe(other);
    const ready = text.replace("node-initialize", "pod-ready");
    const template = [
        "  next:",
        "    statusTemplate: |",
        '      - status: "True"',
        "        type: Ready",
        "      {{ range .spec.readinessGates }}",
        "      - type: {{ .conditionType }}",
        "      {{ end }}",
        "      phase: Running",
        "",
    ];
    const adapted = parse(adaptStage(ready + template.join("\n"))) as { spec: { next: { statusTemplate: string } } };
    expect(adapted.spec.next.statusTemplate).toBe(
        '- status: {{ if .spec.readinessGates }}"False"{{ else }}"True"{{ end }}\n  type: Ready\nphase: Running\n',
    );
    expect(() => adaptStage(ready)).toThrow(/another than expected/);
});

test("addresses and instance ids of nodes", () => {
    expect(freeInternalIp(new Set())).toBe("192.168.0.10");
    expect(freeInternalIp(new Set(["192.168.0.10", "192.168.0.12"]))).toBe("192.168.0.11");
    const used = new Set<string>();
    for (let i = 0; i < 600; i++) used.add(freeInternalIp(used));
    expect(used.size).toBe(600);
    for (const address of used) expect(address).toMatch(/^192\.168\.[0-2]\.([1-9]\d?|1\d\d|2[0-4]\d|25[0-4])$/);
    fc.assert(fc.property(fc.string(), (name) => expect(instanceIdFor(name)).toMatch(/^i-bp1[0-9a-z]{17}$/)));
    expect(instanceIdFor("a")).not.toBe(instanceIdFor("b"));
});

test("a node object has the requested properties", () => {
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
    expect(node.spec.providerID).toBe("cn-shanghai.i-1");
    expect(node.spec.unschedulable).toBe(true);
    expect(node.spec.podCIDRs).toStrictEqual(["10.1.0.0/24"]);
    expect(node.spec.taints).toStrictEqual([{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }]);
    expect(node.metadata.labels["node-role.kubernetes.io/control-plane"]).toBe("");
    expect(node.metadata.labels["topology.kubernetes.io/region"]).toBe("cn-shanghai");
    expect(node.metadata.labels.a).toBe("b");
    expect(node.metadata.annotations[READY_ANNOTATION]).toBe("false");
    expect(node.status.conditions[0].status).toBe("False");
    expect(node.status.addresses[0].address).toBe("10.0.0.1");
});

test("a machine outside ECS has a given providerID or none", () => {
    const providerOf = (providerId: string) =>
        (nodeObject({ name: "n", internalIp: "10.0.0.1", providerId }) as ReturnType<typeof JSON.parse>).spec
            .providerID;
    expect(["ens-1", ""].map(providerOf)).toStrictEqual(["ens-1", ""]);
});

test("every program listens only on 127.0.0.1, each on a separate port", () => {
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
        expect(line[0]).toBe(`/bin/${name}`);
        const text = line.join(" ");
        expect(text).toContain(String(ports[name]));
        expect(text).toMatch(
            /--bind-address=127\.0\.0\.1|--listen-client-urls=http:\/\/127\.0\.0\.1:|--server-address=127\.0\.0\.1:/,
        );
        expect(healthUrl(name, ports).includes(`//127.0.0.1:${ports[name]}/`)).toBeTruthy();
    }
});

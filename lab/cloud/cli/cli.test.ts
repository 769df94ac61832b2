import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { startCloud, type RunningCloud, type Seed, type SeedCall } from "..";

const run = promisify(execFile);
const LABCLOUD = join("lab", "bin", "labcloud");

let dir: string;
let cloud: RunningCloud;

beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "lab-cloud-cli-"));
    const calls: SeedCall[] = [
        {
            action: "CreateLoadBalancer",
            id: "lb-web",
            params: { LoadBalancerName: "web", InstanceChargeType: "PayByCLCU" },
        },
        {
            action: "CreateVServerGroup",
            id: "rsp-web",
            params: {
                LoadBalancerId: "lb-web",
                VServerGroupName: "pods",
                BackendServers: '[{"ServerId":"i-1","Port":80,"Weight":30},{"ServerId":"i-2","Port":80}]',
            },
        },
        {
            action: "CreateLoadBalancerTCPListener",
            params: { LoadBalancerId: "lb-web", ListenerPort: 80, VServerGroupId: "rsp-web", Scheduler: "rr" },
        },
    ];
    const vpcs = [{ id: "vpc-lab" }];
    const vSwitches = [{ id: "vsw-lab-a", zoneId: "cn-hangzhou-a", cidr: "10.1.0.0/16" }];
    const seed: Seed = { vpcs, vSwitches, instances: [{ id: "i-1" }, { id: "i-2" }], calls };
    cloud = await startCloud({ dir, accessKeyId: "id", accessKeySecret: "secret", seed });
});

afterAll(async () => {
    await cloud.stop();
    rmSync(dir, { recursive: true, force: true });
});

async function labcloud(...args: string[]): Promise<string> {
    const { stdout } = await run(LABCLOUD, args, { env: { ...process.env, LAB_CLOUD: cloud.url } });
    return stdout;
}

async function failure(...args: string[]): Promise<{ code: number; stderr: string }> {
    return labcloud(...args).then(
        () => {
            throw new Error(`labcloud ${args.join(" ")} succeeded`);
        },
        (error: { code: number; stderr: string }) => error,
    );
}

test("list shows instance, address, listener, group and members with weights", async () => {
    const [header, row] = (await labcloud("list")).split("\n");
    expect(header ?? "").toMatch(/^LOAD BALANCER +ADDRESS +LISTENER +GROUP +BACKENDS$/);
    expect(row ?? "").toMatch(
        /^lb-web web +203\.0\.113\.10 internet +tcp:80 stopped +rsp-web pods +i-1:80\(30\) i-2:80\(100\)$/,
    );
});

test("edit changes objects outside Pulumi, and calls shows it", async () => {
    await labcloud("edit", "remove-backend", "rsp-web", "i-2");
    await labcloud("edit", "set-listener", "lb-web", "80", "tcp", "Scheduler=wlc");
    expect(await labcloud("list")).toMatch(/i-1:80\(30\)\n/);
    const lines = (await labcloud("calls", "--mutating", "--action", "SetLoadBalancerTCPListenerAttribute"))
        .trim()
        .split("\n");
    expect(lines).toHaveLength(1);
    expect(lines[0] ?? "").toMatch(/other +Slb\.SetLoadBalancerTCPListenerAttribute .*Scheduler=wlc/);
});

test("console shows the response, or the refusal with exit code 1", async () => {
    const answer = JSON.parse(await labcloud("console", "DescribeLoadBalancerAttribute", "LoadBalancerId=lb-web")) as {
        LoadBalancerName: string;
    };
    expect(answer.LoadBalancerName).toBe("web");
    const { code, stderr } = await failure("console", "DeleteVServerGroup", "VServerGroupId=rsp-web");
    expect([code, stderr]).toStrictEqual([
        1,
        "labcloud: RspoolVipExist: there are vips associating with this vServer group.\n",
    ]);
});

test("faults are set, listed and cleared", async () => {
    await labcloud("fault", "CreateVServerGroup", "code=SystemBusy", "times=2", "match.VServerGroupName=x");
    const list = JSON.parse(await labcloud("fault", "list")) as { fault: Record<string, unknown> }[];
    expect(list.map((f) => ({ ...f.fault, id: "-" }))).toStrictEqual([
        { action: "CreateVServerGroup", code: "SystemBusy", times: 2, match: { VServerGroupName: "x" }, id: "-" },
    ]);
    await labcloud("fault", "clear");
    expect((await labcloud("fault", "list")).trim()).toBe("[]");
});

test("show, state, rules, config and help", async () => {
    expect(Object.keys(JSON.parse(await labcloud("show", "lb-web")) as object)).toStrictEqual([
        "slb.loadBalancers",
        "slb.listeners",
        "slb.vServerGroups",
    ]);
    expect((JSON.parse(await labcloud("state")) as { region: string }).region).toBe("cn-hangzhou");
    expect(await labcloud("rules", "RspoolVipExist")).toMatch(/slb\.server-group\.not-used-by-listener/);
    expect(await labcloud("config", '{"delays":{"request":0}}')).toMatch(/"listenersPerLoadBalancer": 50/);
    expect(await labcloud("--help")).toMatch(/usage: labcloud COMMAND/);
    expect(await labcloud("calls", "--help")).toMatch(/usage: labcloud calls \[--watch\]/);
});

test("mistakes end with exit code 2", async () => {
    expect((await failure("nonsense")).code).toBe(2);
    expect((await failure("edit", "remove-backend", "rsp-web", "i-9")).code).toBe(2);
    expect((await failure("console", "X", "novalue")).code).toBe(2);
});

/** Waits for something that a process does, however long it takes on a busy machine. */
async function until(done: () => boolean): Promise<void> {
    for (let i = 0; !done(); i++) {
        if (i === 3000) throw new Error("waited for a minute");
        await sleep(20);
    }
}

test("serve writes its facts without the secret, and ends on SIGTERM", async () => {
    const home = join(dir, "process");
    const child = spawn(process.execPath, [join("dist", "lab", "cloud", "main.js"), "serve", "--dir", home], {
        stdio: "ignore",
    });
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
    try {
        await until(() => existsSync(join(home, "cloud.json")));
        const facts = JSON.parse(readFileSync(join(home, "cloud.json"), "utf8")) as Record<string, string>;
        expect(facts["pid"]).toBe(child.pid);
        expect(statSync(String(facts["secretFile"])).mode & 0o777).toBe(0o600);
        expect((await fetch(`${facts["url"]}/_config`)).status).toBe(200);
    } finally {
        child.kill("SIGTERM");
    }
    expect(await ended).toBe(0);
});

test("serve ends with the process that started it", async () => {
    const home = join(dir, "owned");
    const main = join(process.cwd(), "dist/lab/cloud/main.js");
    const script = `const { spawn } = require("node:child_process");
    const args = ${JSON.stringify([main, "serve", "--dir", home])};
    spawn(process.execPath, args, { stdio: "ignore" });
    setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
    await until(() => existsSync(join(home, "cloud.json")));
    const { pid } = JSON.parse(readFileSync(join(home, "cloud.json"), "utf8")) as { pid: number };
    owner.kill("SIGKILL");
    const alive = (): boolean => {
        try {
            return process.kill(pid, 0);
        } catch {
            return false;
        }
    };
    await until(() => !alive());
});

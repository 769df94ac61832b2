import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { applyFile, applyYaml, Client } from "./client";
import { clusterStatus, startCluster, stopCluster } from "./cluster";
import { installTools } from "./install";
import { addNode, removeNode, setNodeReady, setPodReady, setSchedulable } from "./nodes";
import { timed } from "../build/progress";
import { PROGRAMS } from "./layout";
import { FILES } from "./programs";
import { find } from "./sources";
import { scaleDeployment, waitForDeployment, waitForEndpoints } from "./workloads";

const USAGE = `usage: labcluster COMMAND

  install                        find or build the programs
  which PROGRAM                  where one of them is, for example kubectl
  up --dir D [--detach] [--pod-cidr C] [--service-cidr C]
                                 start a cluster; without --detach it ends with this command
  down --dir D                   end it
  status --dir D [--json]        what runs; exit code 3 if there is no cluster

The others work on the cluster of --dir D or --kubeconfig F or of the variable KUBECONFIG:
  node add NAME... [--zone Z] [--instance-id I | --provider-id P] [--ip A] [--label K=V]... [--role R] [--pod-cidr C]
                   [--not-ready] [--unschedulable]
  node remove | cordon | uncordon | ready | not-ready NAME...
  pod ready | not-ready NS/NAME...
  scale NS/DEPLOYMENT N          and wait until N pods are ready
  wait-endpoints NS/SERVICE N    wait until it has N ready endpoints
  apply FILE                     kubectl apply; "-" reads standard input
  get PATH                       JSON of an API path, for example /api/v1/nodes

scale and wait-endpoints give up after --timeout SECONDS (60).
`;

class UsageError extends Error {}

function parse(args: string[]) {
    try {
        return parseArgs({
            args,
            allowPositionals: true,
            options: {
                dir: { type: "string" },
                kubeconfig: { type: "string" },
                detach: { type: "boolean" },
                json: { type: "boolean" },
                timeout: { type: "string" },
                zone: { type: "string" },
                "instance-id": { type: "string" },
                "provider-id": { type: "string" },
                ip: { type: "string" },
                label: { type: "string", multiple: true },
                role: { type: "string" },
                "pod-cidr": { type: "string" },
                "service-cidr": { type: "string" },
                "not-ready": { type: "boolean" },
                unschedulable: { type: "boolean" },
                help: { type: "boolean", short: "h" },
            },
        });
    } catch (error) {
        throw new UsageError((error as Error).message);
    }
}
type Options = ReturnType<typeof parse>["values"];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(args: string[]): Promise<number> {
    const { values, positionals } = parse(args);
    const [command, ...rest] = positionals;
    if (values.help) {
        process.stdout.write(USAGE);
        return 0;
    }
    switch (command) {
        case "install":
            await installTools(timed(say));
            return 0;
        case "which":
            return which(rest[0] ?? "");
        case "up":
            return up(values);
        case "down":
            say((await stopCluster(dirOf(values))) ? "the cluster has ended" : "there is no cluster");
            return 0;
        case "status":
            return status(values);
        case undefined:
            throw new UsageError("no command given");
        default:
            await onCluster(command, rest, values);
            return 0;
    }
}

async function which(name: string): Promise<number> {
    const program = PROGRAMS.find((known) => known === name);
    if (program === undefined) throw new UsageError(`"${name}" is none of ${PROGRAMS.join(", ")}`);
    const found = await find(program);
    if (found === undefined) throw new Error(`${program} is not installed; run: labcluster install`);
    say(found.path);
    return 0;
}

async function up(values: Options): Promise<number> {
    const dir = dirOf(values);
    const detached = values.detach ?? false;
    const network = {
        ...(values["pod-cidr"] === undefined ? {} : { podCidr: values["pod-cidr"] }),
        ...(values["service-cidr"] === undefined ? {} : { serviceCidr: values["service-cidr"] }),
    };
    const cluster = await startCluster({ dir, detached, network, report: timed(say) });
    say(`export KUBECONFIG=${cluster.kubeconfig}`);
    if (detached) return 0;
    say("the cluster runs until this command ends (Ctrl-C)");
    let asked = false;
    const stop = (): void => {
        asked = true;
    };
    process.on("SIGINT", stop).on("SIGTERM", stop);
    for (;;) {
        const now = await clusterStatus(dir);
        if (asked) {
            await cluster.stop();
            say("the cluster has ended");
            return 0;
        }
        if (now?.alive["supervisor"] !== true) {
            say(`the cluster has ended: ${now?.state.reason ?? "it was stopped from elsewhere"}`);
            return now?.state.reason === undefined ? 0 : 1;
        }
        await sleep(200);
    }
}

async function status(values: Options): Promise<number> {
    const found = await clusterStatus(dirOf(values));
    if (values.json) say(JSON.stringify(found ?? null, undefined, 2));
    if (found === undefined) {
        if (!values.json) say("there is no cluster");
        return 3;
    }
    const { state, alive } = found;
    const allAlive = Object.values(alive).every((is) => is);
    if (!values.json) {
        say(`${state.phase}${state.reason === undefined ? "" : `: ${state.reason}`} (since ${state.startedAt})`);
        for (const { name, pid } of [...state.programs, { name: "supervisor", ...state.supervisor }]) {
            say(`  ${name.padEnd(24)} ${String(pid).padStart(8)} ${alive[name] ? "runs" : "has ended"}`);
        }
        say(`kubeconfig: ${join(dirOf(values), FILES.kubeconfig)}`);
    }
    return state.phase === "ready" && allAlive ? 0 : 1;
}

async function onCluster(command: string, rest: string[], values: Options): Promise<void> {
    const kubeconfig =
        values.kubeconfig ?? (values.dir ? join(values.dir, FILES.kubeconfig) : process.env["KUBECONFIG"]);
    if (!kubeconfig) throw new UsageError("which cluster? give --dir, --kubeconfig or KUBECONFIG");
    const timeout = values.timeout === undefined ? undefined : countOf(values.timeout) * 1000;
    const client = await Client.open(kubeconfig);
    const [first = "", second = ""] = rest;
    switch (command) {
        case "node":
            return nodes(client, first, rest.slice(1), values);
        case "pod":
            if (first !== "ready" && first !== "not-ready") throw new UsageError(`no such command: pod ${first}`);
            for (const pod of rest.slice(1)) await setPodReady(client, ...splitName(pod), first === "ready");
            return;
        case "scale": {
            const [namespace, name] = splitName(first);
            await scaleDeployment(client, namespace, name, countOf(second));
            return waitForDeployment(client, namespace, name, timeout);
        }
        case "wait-endpoints": {
            const endpoints = await waitForEndpoints(client, ...splitName(first), countOf(second), timeout);
            for (const { addresses, nodeName } of endpoints) say(`${addresses.join(",")} on ${nodeName ?? "no node"}`);
            return;
        }
        case "apply":
            if (first === "") throw new UsageError("apply what? give a file");
            process.stdout.write(
                first === "-" ? await applyYaml(client, readFileSync(0, "utf8")) : await applyFile(client, first),
            );
            return;
        case "get":
            say(JSON.stringify(await client.get(first), undefined, 2));
            return;
        default:
            throw new UsageError(`no such command: ${command}`);
    }
}

async function nodes(client: Client, action: string, names: string[], values: Options): Promise<void> {
    if (names.length === 0) throw new UsageError("which node? give a name");
    for (const name of names) {
        if (action === "add") {
            await addNode(client, {
                name,
                labels: Object.fromEntries((values.label ?? []).map(splitLabel)),
                ready: !values["not-ready"],
                unschedulable: values.unschedulable ?? false,
                ...(values.zone === undefined ? {} : { zone: values.zone }),
                ...(values["instance-id"] === undefined ? {} : { instanceId: values["instance-id"] }),
                ...(values["provider-id"] === undefined ? {} : { providerId: values["provider-id"] }),
                ...(values.ip === undefined ? {} : { internalIp: values.ip }),
                ...(values.role === undefined ? {} : { role: values.role }),
                ...(values["pod-cidr"] === undefined ? {} : { podCidr: values["pod-cidr"] }),
            });
        } else if (action === "remove") await removeNode(client, name);
        else if (action === "cordon" || action === "uncordon")
            await setSchedulable(client, name, action === "uncordon");
        else if (action === "ready" || action === "not-ready") await setNodeReady(client, name, action === "ready");
        else throw new UsageError(`no such command: node ${action}`);
        say(`node ${name}: ${action}`);
    }
}

function dirOf(values: Options): string {
    if (!values.dir) throw new UsageError("which folder? give --dir");
    return values.dir;
}

function splitName(text: string): [string, string] {
    const [namespace, name, ...more] = text.split("/");
    if (!namespace || !name || more.length > 0) throw new UsageError(`"${text}" is not NAMESPACE/NAME`);
    return [namespace, name];
}

function splitLabel(text: string): [string, string] {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageError(`"${text}" is not KEY=VALUE`);
    return [text.slice(0, at), text.slice(at + 1)];
}

function countOf(text: string): number {
    if (!/^\d+$/.test(text)) throw new UsageError(`"${text}" is not a number`);
    return Number(text);
}

main(process.argv.slice(2)).then(
    (code) => (process.exitCode = code),
    (error: Error) => {
        process.stderr.write(`labcluster: ${error.message}\n${error instanceof UsageError ? `\n${USAGE}` : ""}`);
        process.exitCode = error instanceof UsageError ? 2 : 1;
    },
);

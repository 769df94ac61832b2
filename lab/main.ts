/** `make lab`: a lab to try things by hand in. */
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { LAB_CLUSTER } from "./ack-profile";
import { REPOSITORY } from "./repository";
import { type Lab, startLab, stopLab } from "./lab";
import { installPulumi, installYamlHost } from "./pulumi/install";

const USAGE = `usage: lab <command>

  shell              start a lab with three nodes and open a shell in it; leaving the shell ends the lab
  up --dir DIR       start a lab that goes on; source DIR/env.sh to enter it
                     --cluster-id ID  what the cluster says that its ACK id is; default c-lab
  down --dir DIR     end it
  install            find or build the programs of the cluster and the Pulumi CLI, and nothing else
`;

const HELP = `
You are in the lab. Try:
  pulumi version             the real CLI
  kubectl get nodes          a real control plane with three nodes
  labcloud list              the simulated cloud: load balancers, listeners, groups, backends
  labcloud calls --watch     every call as it is made
  labcloud --help            also edits, as a person in the console would make them
  kubectl apply -f examples/quickstart/workload.yaml
  pulumi stack init try && pulumi config set manifests examples/quickstart/manifests
  pulumi up --policy-pack policies
Leave with exit; the lab ends with the shell.
`;

async function main(): Promise<void> {
    const { positionals, values } = parseArgs({
        allowPositionals: true,
        options: { dir: { type: "string" }, "cluster-id": { type: "string", default: LAB_CLUSTER } },
    });
    const report = (line: string): void => void process.stderr.write(`${line}\n`);
    switch (positionals[0]) {
        case "install": {
            const { installTools } = await import("./cluster/index.js");
            await installTools(report);
            const { kind } = await installPulumi(report);
            if (kind === "pinned") await installYamlHost(report);
            return;
        }
        case "shell":
            return shell(report);
        case "up": {
            const lab = await startLab({
                dir: required(values.dir),
                clusterId: values["cluster-id"],
                detached: true,
                report,
            });
            await addNodes(lab);
            process.stdout.write(`lab is up: . ${path.join(lab.dir, "env.sh")}\n`);
            process.exit(0);
            break;
        }
        case "down":
            return stopLab(path.resolve(required(values.dir)));
        default:
            process.stderr.write(USAGE);
            process.exitCode = 2;
    }
}

function required(dir: string | undefined): string {
    if (dir === undefined) throw new Error("--dir is required");
    return dir;
}

async function addNodes(lab: Lab): Promise<void> {
    for (const name of ["node-1", "node-2", "node-3"]) await lab.addNode({ name });
}

async function shell(report: (line: string) => void): Promise<void> {
    const lab = await startLab({ report });
    try {
        await addNodes(lab);
        process.stdout.write(HELP);
        const shellPath = process.env["SHELL"] ?? "/bin/sh";
        const interactive = process.stdin.isTTY ? [] : ["-s"];
        spawnSync(fs.existsSync(shellPath) ? shellPath : "/bin/sh", interactive, {
            stdio: "inherit",
            env: { ...lab.env, PS1: "(lab) $ " },
            cwd: REPOSITORY,
        });
    } finally {
        await lab.stop();
    }
}

main().catch((error: unknown) => {
    process.stderr.write(`lab: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
});

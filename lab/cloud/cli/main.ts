import { COMMANDS, UsageError } from "./commands";
import { LabClient } from "./lab-client";

function help(): string {
    const commands = Object.values(COMMANDS).map((c) => `  ${c.usage}\n      ${c.about}`);
    return [
        "labcloud: look at and steer the simulated Alibaba Cloud of a running lab",
        "",
        "usage: labcloud COMMAND …",
        "",
        ...commands,
        "",
        "The cloud is found through LAB_CLOUD, which a running lab sets (http://127.0.0.1:PORT).",
        "",
        "examples:",
        "  labcloud calls --watch --mutating",
        "  labcloud edit remove-backend rsp-0001 i-node-1",
        "  labcloud edit set-listener lb-0001 80 tcp Scheduler=wlc",
        "  labcloud console SetLoadBalancerName LoadBalancerId=lb-0001 LoadBalancerName=renamed",
        "  labcloud fault AddVServerGroupBackendServers code=VServerGroupProcessing times=2",
        "",
    ].join("\n");
}

async function main(args: readonly string[]): Promise<number> {
    const [name, ...rest] = args;
    if (name === undefined || name === "--help" || name === "-h" || name === "help") {
        process.stdout.write(help());
        return name === undefined ? 2 : 0;
    }
    const command = COMMANDS[name];
    if (command === undefined) throw new UsageError(`there is no command ${name}; labcloud --help lists them`);
    if (rest.includes("--help")) {
        process.stdout.write(`usage: labcloud ${command.usage}\n\n${command.about}\n`);
        return 0;
    }
    const url = process.env["LAB_CLOUD"];
    if (url === undefined || url === "")
        throw new UsageError("LAB_CLOUD is not set; run inside a lab, or set it to http://127.0.0.1:PORT");
    await command.run(new LabClient(url.replace(/\/$/, "")), rest, (text) => process.stdout.write(`${text}\n`));
    return 0;
}

// A reader such as `head` may close the pipe while `calls --watch` still writes.
process.stdout.on("error", () => process.exit(0));

main(process.argv.slice(2)).then(
    (code) => {
        process.exitCode = code;
    },
    (error: unknown) => {
        process.stderr.write(`labcloud: ${error instanceof Error ? error.message : String(error)}\n`);
        process.exitCode = error instanceof UsageError ? 2 : 1;
    },
);

import { ORGANIZATION } from "../backend";
import { urnName } from "../state";
import { ago } from "./ago";
import { parseArguments, STACK_FLAGS } from "./args";
import { print, printTable } from "./output";
import { stackOutput } from "./stackoutput";
import { Workspace } from "./workspace";

/** `pulumi stack`. @returns the exit code */
export async function stackShow(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...STACK_FLAGS,
        "show-name": { kind: "bool" },
        "show-urns": { kind: "bool", short: "u" },
        "show-ids": { kind: "bool", short: "i" },
        "show-secrets": { kind: "bool" },
    });
    const ws = new Workspace(args);
    const s = ws.currentStack();
    if (args.on("show-name")) {
        print(s.name);
        return 0;
    }
    const snap = await ws.snapshot(s);
    print(`Current stack is ${s.name}:`);
    print("    Managed by the lab engine of ack-loadbalancer");
    const last = ws.backend.lastUpdate(s);
    if (last !== undefined) print(`    Last updated: ${ago(last)}`);
    print(`Current stack resources (${snap.resources.length}):`);
    if (snap.resources.length === 0) print("    No resources currently in this stack");
    else {
        printTable(
            ["    TYPE", "NAME"],
            snap.resources.map((r) => [`    ${r.type}`, urnName(r.urn)]),
        );
        if (args.on("show-urns")) for (const r of snap.resources) print(`    URN: ${r.urn}`);
        if (args.on("show-ids")) for (const r of snap.resources.filter((x) => x.id !== "")) print(`    ID: ${r.id}`);
    }
    print();
    await stackOutput([
        ...(args.on("show-secrets") ? ["--show-secrets"] : []),
        "--stack",
        `${ORGANIZATION}/${s.project}/${s.name}`,
    ]);
    return 0;
}

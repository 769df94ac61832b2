import { forgetResource, looksLikeUrn, renameResource, type ResourceState, type Snapshot } from "../state";
import { parseArguments, UsageError, type Arguments, type FlagTable } from "./args";
import { Failure, print } from "./output";
import { stateMove } from "./statemove";
import { Workspace } from "./workspace";

const FLAGS: FlagTable = {
    stack: { kind: "text", short: "s" },
    yes: { kind: "bool", short: "y" },
    all: { kind: "bool" },
    force: { kind: "bool" },
    "target-dependents": { kind: "bool" },
};

/** Changes the record of a stack and stores it. */
async function edit(args: Arguments, change: (snap: Snapshot) => void): Promise<void> {
    const ws = new Workspace(args);
    const s = ws.currentStack();
    const snap = await ws.snapshot(s);
    snap.secrets ??= await ws.secrets(s, ws.settings(s));
    change(snap);
    ws.backend.saveAll([[s, snap]]);
}

function missing(urn: string): string {
    return `No such resource ${JSON.stringify(urn)} exists in the current state`;
}

function required(args: Arguments, ...names: string[]): string[] {
    if (args.positional.length < names.length)
        throw new Failure(`Must supply ${names.map((n) => `<${n}>`).join(" ")} unless pulumi is run interactively`);
    return [...args.positional];
}

async function remove(args: Arguments): Promise<void> {
    const unprotect = (r: ResourceState): void => {
        if (!args.on("force"))
            throw new Failure(
                `${r.urn} can't be safely deleted because it is protected. Re-run this command with --force to force deletion`,
            );
        process.stderr.write(`warning: deleting protected resource ${r.urn} due to presence of --force\n`);
        r.protect = false;
    };
    if (args.on("all")) {
        if (args.positional.length > 0) throw new Failure("cannot specify a resource URN when deleting all resources");
        await edit(args, (snap) => {
            for (const r of [...snap.resources].reverse())
                if (snap.resources.includes(r)) forgetResource(snap, r, args.on("target-dependents"), unprotect);
        });
        print("Resources deleted");
        return;
    }
    const [urn] = required(args, "resource URN") as [string];
    await edit(args, (snap) => {
        const found = snap.resources.filter((r) => r.urn === urn);
        const [only] = found;
        if (!only) throw new Failure(missing(urn));
        if (found.length > 1)
            throw new Failure(
                `Resource URN ambiguously referred to multiple resources. Did you mean:\n${found.map((r) => `  ${r.id}\n`).join("")}`,
            );
        forgetResource(snap, only, args.on("target-dependents"), unprotect);
    });
    print("Resource deleted");
}

/** Sets a mark on several resources; resources that wait for their deletion are left out. */
async function mark(args: Arguments, done: string, set: (r: ResourceState) => void): Promise<void> {
    if (args.on("all")) {
        await edit(args, (snap) => snap.resources.filter((r) => !r.delete).forEach(set));
        print(`All resources ${done}`);
        return;
    }
    const urns = required(args, "resource URN");
    await edit(args, (snap) => {
        const problems: string[] = [];
        for (const urn of urns) {
            const r = snap.resources.find((x) => x.urn === urn && !x.delete);
            if (r) set(r);
            else problems.push(missing(urn));
        }
        if (problems.length > 0) throw new Failure(problems.join("\n"));
    });
    print(`${urns.length} resources ${done}`);
}

/** `pulumi state …`. @returns the exit code */
export async function stateCommand(argv: readonly string[]): Promise<number> {
    const [sub, ...rest] = argv;
    if (sub === "move") return stateMove(rest);
    const args = parseArguments(rest, FLAGS);
    switch (sub) {
        case "delete":
        case "remove":
        case "rm":
            await remove(args);
            return 0;
        case "rename": {
            const [urn, name] = required(args, "resource URN", "new name") as [string, string];
            if (!looksLikeUrn(urn)) throw new Failure("The provided input URN is not valid");
            await edit(args, (snap) => renameResource(snap, urn, name));
            print("Resource renamed");
            return 0;
        }
        case "protect":
            await mark(args, "protected", (r) => (r.protect = true));
            return 0;
        case "unprotect":
            await mark(args, "unprotected", (r) => (r.protect = false));
            return 0;
        case "taint":
            await mark(args, "tainted", (r) => (r.taint = true));
            return 0;
        case "untaint":
            await mark(args, "untainted", (r) => (r.taint = false));
            return 0;
        default:
            throw new UsageError(`unknown command "${sub ?? ""}" for "pulumi state"`);
    }
}

import { fullName, type StackName } from "../backend";
import { type BrokenReference, integrityError, moveResources } from "../state";
import { parseArguments } from "./args";
import { Failure, print } from "./output";
import { Workspace } from "./workspace";

/** `pulumi state move`. @returns the exit code */
export async function stateMove(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        source: { kind: "text" },
        dest: { kind: "text" },
        yes: { kind: "bool", short: "y" },
        "include-parents": { kind: "bool" },
    });
    if (args.positional.length === 0) throw new Failure("requires at least 1 arg(s), only received 0");
    if (!args.text("source") && !args.text("dest"))
        throw new Failure("at least one of --source or --dest must be provided");
    const ws = new Workspace(args);
    const stack = (name: string | undefined): StackName => {
        if (!name) return ws.currentStack();
        const s = ws.parseStack(name);
        if (!ws.backend.exists(s)) throw new Failure(`no stack named '${name}' found`);
        return s;
    };
    const [from, into] = [stack(args.text("source")), stack(args.text("dest"))];
    const [source, target] = [await ws.snapshot(from), await ws.snapshot(into)];
    target.secrets ??= await ws.secrets(into, ws.settings(into));

    const move = moveResources(source, target, into, args.positional, args.on("include-parents"));
    for (const urn of move.notFound) print(`warning: Resource ${urn} not found in source stack`);
    const [fromName, intoName] = [fullName(from), fullName(into)];
    print(`Planning to move the following resources from ${fromName} to ${intoName}:\n`);
    for (const urn of move.moved) print(`  - ${urn}`);
    print("");
    printBroken(
        `The following resources remaining in ${fromName} have dependencies on resources moved to ${intoName}:`,
        move.brokenInSource,
    );
    printBroken(
        `The following resources being moved to ${intoName} have dependencies on resources in ${fromName}:`,
        move.brokenInTarget,
    );
    if (!args.on("yes")) throw new Failure("--yes must be passed in to proceed when running in non-interactive mode");
    for (const [which, { resources }] of Object.entries({ destination: target, source })) {
        const problem = integrityError(resources);
        if (problem !== undefined) throw new Failure(`failed to verify integrity of ${which} snapshot: ${problem}`);
    }

    // The target first: a crash in between leaves the resources in both records, and not in none.
    ws.backend.saveAll([
        [into, target],
        [from, source],
    ]);
    print(`Successfully moved resources from ${fromName} to ${intoName}`);
    return 0;
}

function printBroken(title: string, references: readonly BrokenReference[]): void {
    if (references.length === 0) return;
    print(`${title}\n`);
    for (const { from, to } of references) {
        if (to.kind === "property") print(`  - ${from} (${to.key ?? ""}) has a property dependency on ${to.urn}`);
        else if (to.kind === "deletedWith") print(`  - ${from} is marked as deleted with ${to.urn}`);
        else print(`  - ${from} has a dependency on ${to.urn}`);
    }
    print("");
}

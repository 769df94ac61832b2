import { emptySnapshot } from "../state";
import { parseArguments, STACK_FLAGS } from "./args";
import { Failure, print } from "./output";
import { Workspace } from "./workspace";

/** `pulumi stack init`. @returns the exit code */
export async function stackInit(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...STACK_FLAGS,
        "secrets-provider": { kind: "text" },
        "no-select": { kind: "bool" },
        "copy-config-from": { kind: "text" },
        teams: { kind: "list" },
    });
    const ws = new Workspace(args);
    const name = args.positional[0] ?? args.text("stack");
    if (name === undefined) throw new Failure("missing stack name");
    const provider = args.text("secrets-provider");
    if (provider !== undefined && provider !== "default" && provider !== "passphrase")
        throw new Failure(`the lab engine only knows the secrets provider "passphrase", not "${provider}"`);
    const s = ws.parseStack(name);
    if (ws.backend.exists(s)) throw new Failure(`stack '${s.name}' already exists`);
    const settings = ws.settings(s);
    const secrets = await ws.secrets(s, settings);
    ws.backend.save(s, emptySnapshot(secrets));
    print(`Created stack '${s.name}'`);
    if (!args.on("no-select")) ws.select(s);
    return 0;
}

/** `pulumi stack select`. @returns the exit code */
export async function stackSelect(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...STACK_FLAGS,
        create: { kind: "bool", short: "c" },
        "secrets-provider": { kind: "text" },
    });
    const ws = new Workspace(args);
    const name = args.positional[0] ?? args.text("stack");
    if (name === undefined)
        throw new Failure("no stack selected; --stack or a stack name must be given in non-interactive mode");
    const s = ws.parseStack(name);
    if (!ws.backend.exists(s)) {
        if (!args.on("create")) throw new Failure(`no stack named '${name}' found`);
        const secrets = await ws.secrets(s, ws.settings(s));
        ws.backend.save(s, emptySnapshot(secrets));
        print(`Created stack '${s.name}'`);
    }
    ws.select(s);
    return 0;
}

/** `pulumi stack rm`. @returns the exit code */
export async function stackRemove(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...STACK_FLAGS,
        force: { kind: "bool", short: "f" },
        yes: { kind: "bool", short: "y" },
        "preserve-config": { kind: "bool" },
        "remove-backups": { kind: "bool" },
    });
    const ws = new Workspace(args);
    const name = args.positional[0];
    const s = name === undefined ? ws.currentStack() : ws.parseStack(name);
    if (!ws.backend.exists(s)) throw new Failure(`no stack named '${name ?? s.name}' found`);
    if (!args.on("yes")) throw new Failure("--yes must be passed in to proceed when running in non-interactive mode");
    const count = ws.backend.readFile(s)?.checkpoint.latest?.resources?.length ?? 0;
    if (count > 0 && !args.on("force")) {
        throw new Failure(
            `'${s.name}' still has resources; removal rejected. Possible actions:\n- Make sure that '${s.name}' is the stack that you want to destroy\n- Run \`pulumi destroy\` to delete the resources, then run \`pulumi stack rm\`\n- Run \`pulumi stack rm --force\` to override this error`,
        );
    }
    ws.backend.remove(s);
    if (!args.on("preserve-config") && ws.hasProject) ws.settings(s).erase();
    print(`Stack '${s.name}' has been removed!`);
    const selected = ws.selected;
    if (selected !== undefined && ws.parseStack(selected).name === s.name && !process.env["PULUMI_STACK"])
        ws.select(undefined);
    return 0;
}

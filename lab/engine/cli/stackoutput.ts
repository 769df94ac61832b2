import { ROOT_STACK_TYPE, serializeValue, type Snapshot } from "../state";
import { isMap, Secret, unwrapSecrets, type Value } from "../value";
import { parseArguments, STACK_FLAGS } from "./args";
import { Failure, print, printJson, printTable } from "./output";
import { Workspace } from "./workspace";

function rootOutputs(snap: Snapshot): Record<string, Value> {
    return snap.resources.find((r) => r.type === ROOT_STACK_TYPE && !r.delete)?.outputs ?? {};
}

/** Plain JSON of a value; secrets stay hidden unless asked for. */
function shownValue(v: Value, showSecrets: boolean): unknown {
    if (v instanceof Secret && !showSecrets) return "[secret]";
    if (Array.isArray(v)) return v.map((e) => shownValue(e, showSecrets));
    const plain = v instanceof Secret ? unwrapSecrets(v) : v;
    if (isMap(plain))
        return Object.fromEntries(
            Object.keys(plain)
                .sort()
                .map((k) => [k, shownValue(plain[k] as Value, showSecrets)]),
        );
    return Array.isArray(plain) ? plain.map((e) => shownValue(e, showSecrets)) : serializeValue(plain, undefined);
}

function text(v: unknown): string {
    return typeof v === "string" ? v : JSON.stringify(v);
}

/** `pulumi stack output`. @returns the exit code */
export async function stackOutput(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...STACK_FLAGS,
        json: { kind: "bool", short: "j" },
        shell: { kind: "bool" },
        "show-secrets": { kind: "bool" },
    });
    const ws = new Workspace(args);
    const snap = await ws.snapshot(ws.currentStack());
    const outputs = rootOutputs(snap);
    const show = args.on("show-secrets");
    const name = args.positional[0];
    if (name !== undefined) {
        const v = outputs[name];
        if (v === undefined) throw new Failure(`current stack does not have output property '${name}'`);
        if (args.on("json")) printJson(shownValue(v, true));
        else print(text(shownValue(v, true)));
        return 0;
    }
    const plain = Object.fromEntries(
        Object.keys(outputs)
            .sort()
            .map((k) => [k, shownValue(outputs[k] as Value, show)]),
    );
    if (args.on("json")) printJson(plain);
    else if (args.on("shell"))
        for (const [k, v] of Object.entries(plain)) print(`${k}='${text(v).replace(/'/g, "'\\''")}'`);
    else if (Object.keys(plain).length === 0) print("No output values currently in this stack");
    else {
        print(`Current stack outputs (${Object.keys(plain).length}):`);
        printTable(
            ["    OUTPUT", "VALUE"],
            Object.entries(plain).map(([k, v]) => [`    ${k}`, text(v)]),
        );
    }
    return 0;
}

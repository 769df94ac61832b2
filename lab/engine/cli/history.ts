import { ago } from "./ago";
import { parseArguments, STACK_FLAGS } from "./args";
import { print, printJson } from "./output";
import { Workspace } from "./workspace";

/** `pulumi history` / `pulumi stack history`. */
export async function historyCommand(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...STACK_FLAGS,
        json: { kind: "bool", short: "j" },
        "show-secrets": { kind: "bool" },
        "page-size": { kind: "number" },
        page: { kind: "number" },
        "full-dates": { kind: "bool" },
    });
    const ws = new Workspace(args);
    const s = ws.currentStack();
    const all = ws.backend.history(s);
    const size = args.number("page-size") ?? all.length;
    const page = Math.max(1, args.number("page") ?? 1);
    const records = size > 0 ? all.slice((page - 1) * size, page * size) : all;
    if (args.on("json")) {
        const { crypter } = await ws.secrets(s, ws.settings(s));
        printJson(
            records.map((r) => {
                const config: Record<string, { value?: string; secret: boolean }> = {};
                for (const [k, v] of Object.entries(r.config)) {
                    const secure = typeof v === "object" && v !== null && "secure" in v ? String(v.secure) : undefined;
                    config[k] =
                        secure === undefined
                            ? { value: String(v), secret: false }
                            : { ...(args.on("show-secrets") ? { value: crypter.decrypt(secure) } : {}), secret: true };
                }
                return {
                    kind: r.kind,
                    startTime: new Date(r.startTime * 1000).toISOString(),
                    message: r.message,
                    environment: r.environment,
                    config,
                    result: r.result,
                    endTime: new Date(r.endTime * 1000).toISOString(),
                    resourceChanges: r.resourceChanges,
                    version: r.version,
                };
            }),
        );
        return 0;
    }
    if (records.length === 0) print(`Stack has never been updated`);
    for (const r of records) {
        print(`UpdateKind: ${r.kind}`);
        print(`Status: ${r.result}`);
        print(`Message: ${r.message}`);
        print(
            `Resource changes: ${Object.entries(r.resourceChanges)
                .map(([k, n]) => `${n} ${k}`)
                .join(", ")}`,
        );
        print(`Updated ${ago(r.startTime)} took ${r.endTime - r.startTime}s`);
        print();
    }
    return 0;
}

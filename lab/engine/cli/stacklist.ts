import { ORGANIZATION, type StackName } from "../backend";
import { parseArguments } from "./args";
import { ago } from "./ago";
import { printJson, printTable } from "./output";
import { Workspace } from "./workspace";

/** `pulumi stack ls`. @returns the exit code */
export async function stackList(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        json: { kind: "bool", short: "j" },
        all: { kind: "bool", short: "a" },
        project: { kind: "text", short: "p" },
        organization: { kind: "text", short: "o" },
        tag: { kind: "text", short: "t" },
    });
    const ws = new Workspace(args);
    const project = args.on("all") || !ws.hasProject ? args.text("project") : (args.text("project") ?? ws.project.name);
    const selected = ws.selected;
    const current = selected === undefined ? undefined : ws.parseStack(selected);
    const shown = (s: StackName) =>
        args.on("all") || !ws.hasProject ? `${ORGANIZATION}/${s.project}/${s.name}` : s.name;
    const isCurrent = (s: StackName) =>
        current !== undefined && current.name === s.name && current.project === s.project;
    const rows = ws.backend.list(project).map((s) => {
        const last = ws.backend.lastUpdate(s);
        const count = ws.backend.readFile(s)?.checkpoint.latest?.resources?.length;
        return { s, last, count };
    });
    if (args.on("json")) {
        printJson(
            rows.map(({ s, last, count }) => ({
                name: shown(s),
                current: isCurrent(s),
                ...(last === undefined ? {} : { lastUpdate: new Date(last * 1000).toISOString() }),
                updateInProgress: false,
                ...(last === undefined ? {} : { resourceCount: count ?? 0 }),
            })),
        );
        return 0;
    }
    printTable(
        ["NAME", "LAST UPDATE", "RESOURCE COUNT"],
        rows.map(({ s, last, count }) => [
            shown(s) + (isCurrent(s) ? "*" : ""),
            last === undefined ? "n/a" : ago(last),
            last === undefined ? "n/a" : String(count ?? 0),
        ]),
    );
    return 0;
}

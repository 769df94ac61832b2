import { readFileSync, writeFileSync } from "node:fs";
import { secretsSalt } from "../backend";
import { openSecrets, passphrase } from "../secrets";
import { belongsTo, exportDeployment, integrityError, readDeployment, type VersionedDeployment } from "../state";
import { parseArguments, STACK_FLAGS } from "./args";
import { Failure, print } from "./output";
import { Workspace } from "./workspace";

/** `pulumi stack export`. @returns the exit code */
export async function stackExport(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...STACK_FLAGS,
        file: { kind: "text" },
        version: { kind: "text" },
        "show-secrets": { kind: "bool" },
    });
    const ws = new Workspace(args);
    const document = JSON.stringify(
        exportDeployment(await ws.snapshot(ws.currentStack()), args.on("show-secrets")),
        null,
        4,
    );
    const file = args.text("file");
    if (file === undefined) print(document);
    else writeFileSync(file, `${document}\n`);
    return 0;
}

/** `pulumi stack import`. @returns the exit code */
export async function stackImport(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, { ...STACK_FLAGS, file: { kind: "text" }, force: { kind: "bool", short: "f" } });
    const ws = new Workspace(args);
    const s = ws.currentStack();
    const file = args.text("file");
    const document = JSON.parse(readFileSync(file ?? 0, "utf8")) as VersionedDeployment;
    if (typeof document !== "object" || document === null || document.deployment === undefined)
        throw new Failure("could not deserialize deployment: no deployment in the document");
    const salt = secretsSalt(document.deployment);
    const secrets = salt === undefined ? await ws.secrets(s, ws.settings(s)) : await openSecrets(salt, passphrase());
    const snap = readDeployment(document, secrets);
    const problems: string[] = [];
    const ofOtherStacks = snap.resources.filter(
        (r) => !belongsTo(r.urn, s.name, s.project) && !r.urn.startsWith(`urn:pulumi:${s.name}::`),
    );
    for (const r of ofOtherStacks)
        problems.push(`resource '${r.urn}' refers to a different stack name than the destination stack ('${s.name}')`);
    const bad = integrityError(snap.resources);
    if (bad !== undefined) problems.push(`state file contains errors: ${bad}`);
    if (problems.length > 0 && !args.on("force")) {
        problems.push("importing this file could be dangerous; rerun with --force to proceed anyway");
        throw new Failure(
            `${problems.length} errors occurred:\n${problems.map((p, i) => `    ${i + 1}) ${p}`).join("\n")}`,
        );
    }
    for (const op of snap.pendingOperations)
        process.stderr.write(`warning: removing pending operation '${op.type}' on '${op.resource.urn}'\n`);
    snap.pendingOperations = [];
    ws.backend.saveAll([[s, snap]]);
    print("Import complete.");
    return 0;
}

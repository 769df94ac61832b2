import { readFileSync } from "node:fs";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { secretsSalt } from "../backend";
import { diffDisplay, eventStreamDisplay, progressDisplay, type Display, type DisplayOptions } from "../display";
import { engineService, LocalServer } from "../monitor";
import { auditState, loadPolicyConfig, PolicyPack, type PackContext } from "../policy";
import { openSecrets, passphrase } from "../secrets";
import { readDeployment, type Snapshot, type VersionedDeployment } from "../state";
import { parseArguments, UsageError, type Arguments } from "./args";
import { Failure } from "./output";
import { Workspace } from "./workspace";

/** `pulumi policy …`. @returns the exit code */
export async function policyCommand(argv: readonly string[]): Promise<number> {
    const [sub, ...rest] = argv;
    if (sub !== "analyze") throw new UsageError(`unknown command "${sub ?? ""}" for "pulumi policy"`);
    return analyze(
        parseArguments(rest, {
            stack: { kind: "text", short: "s" },
            file: { kind: "text" },
            diff: { kind: "bool" },
            json: { kind: "bool", short: "j" },
            "policy-pack": { kind: "list" },
            "policy-pack-config": { kind: "list" },
        }),
    );
}

interface Subject {
    stack: string;
    project: string;
    snapshot: Snapshot;
}

/** The state to judge: a stack's, or one from a file (an export or a checkpoint). */
async function subjectOf(args: Arguments): Promise<Subject> {
    const file = args.text("file");
    if (file === undefined) {
        const ws = new Workspace(args);
        const s = ws.currentStack();
        return { stack: s.name, project: s.project, snapshot: await ws.snapshot(s) };
    }
    const j = JSON.parse(readFileSync(file, "utf8")) as VersionedDeployment & {
        checkpoint?: { latest?: VersionedDeployment["deployment"] };
    };
    const deployment = j.deployment ?? j.checkpoint?.latest;
    if (deployment === undefined) throw new Failure(`${file} holds no deployment`);
    const salt = secretsSalt(deployment);
    const snapshot = readDeployment(
        { ...j, deployment },
        salt === undefined ? undefined : await openSecrets(salt, passphrase()),
    );
    const [, , stack = "", , project = ""] = (snapshot.resources[0]?.urn ?? "").split(":");
    return { stack, project, snapshot };
}

function displayFor(args: Arguments, s: Subject): Display {
    const o: DisplayOptions = {
        action: "update",
        preview: false,
        stack: s.stack,
        project: s.project,
        diff: args.on("diff"),
        json: args.on("json"),
        showSecrets: false,
        truncate: false,
        showSames: false,
        showReads: false,
        showReplacementSteps: false,
        showPolicyRemediations: true,
        suppressOutputs: true,
        heartbeat: "",
        showUrns: false,
        showConfig: false,
        write: (t) => process.stdout.write(t),
        writeError: (t) => process.stderr.write(t),
    };
    return o.json ? eventStreamDisplay(o) : o.diff ? diffDisplay(o) : progressDisplay(o);
}

async function analyze(args: Arguments): Promise<number> {
    const [paths, configs] = [args.list("policy-pack"), args.list("policy-pack-config")];
    if (paths.length === 0) throw new Failure("at least one --policy-pack path must be specified");
    if (configs.length > 0 && configs.length !== paths.length)
        throw new Failure("the number of --policy-pack-config paths must match the number of --policy-pack paths");
    const subject = await subjectOf(args);
    const { resources } = subject.snapshot;
    if (resources.length === 0) {
        process.stderr.write(`Stack ${subject.stack} has no resources; nothing to analyze.\n`);
        return 0;
    }
    const server = new LocalServer().add(
        EngineService,
        engineService(() => undefined),
    );
    await server.listen();
    const packs: PolicyPack[] = [];
    try {
        const context: PackContext = {
            project: "",
            stack: "",
            organization: "",
            preview: false,
            config: new Map(),
            secretKeys: [],
            engineAddress: server.address,
        };
        for (const path of paths)
            packs.push(await PolicyPack.start(path, context, (line) => process.stderr.write(`${line}\n`)));
        for (const [i, pack] of packs.entries()) {
            const problems = await pack.configure(configs[i] === undefined ? new Map() : loadPolicyConfig(configs[i]));
            if (problems.length > 0)
                throw new Failure(`loading policy packs: validating policy config: ${problems.join("\n")}`);
        }
        const display = displayFor(args, subject);
        const mandatory = await auditState(resources, packs, {
            violation: (urn, violation) => display.sink({ kind: "violation", urn, violation }),
            remediation: (urn, remediation, before, after) =>
                display.sink({ kind: "remediation", urn, remediation, before, after }),
        });
        display.sink({
            kind: "summary",
            preview: false,
            maybeCorrupt: false,
            seconds: 0,
            changes: {},
            packs: packs.map((p) => ({ name: p.name, version: p.version, path: "" })),
            errors: 0,
            result: mandatory ? "failed" : "succeeded",
        });
        display.finish();
        if (mandatory) throw new Failure("one or more mandatory policy violations were found");
        return 0;
    } finally {
        await Promise.all(packs.map((p) => p.close()));
        server.close();
    }
}

import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { openSecrets, passphrase, type SecretsManager } from "../secrets";
import { checkpointText, integrityError, readDeployment, type Deployment, type Snapshot } from "../state";
import { readMaybeCompressed, writeAtomic } from "./files";
import { clearLocks, takeLock } from "./locks";

/** The organization every stack of a file backend belongs to. */
export const ORGANIZATION = "organization";

/** A stack of the file backend. */
export interface StackName {
    project: string;
    name: string;
}
/** `organization/<project>/<stack>`. */
export function fullName(s: StackName): string {
    return `${ORGANIZATION}/${s.project}/${s.name}`;
}

/** What is written about a finished operation. */
export interface HistoryRecord {
    kind: "update" | "refresh" | "destroy" | "import" | "rename";
    startTime: number;
    message: string;
    environment: Record<string, string>;
    config: Record<string, unknown>;
    version: 0;
    result: "succeeded" | "failed";
    endTime: number;
    resourceChanges: Record<string, number>;
}

interface CheckpointFile {
    version: number;
    features?: string[];
    checkpoint: { stack: string; latest?: Deployment };
}

/** Stacks in a folder, in the layout of the real CLI's file backend (`file://<folder>`, project-scoped). */
export class FileBackend {
    readonly root: string;

    constructor(readonly url: string) {
        if (!url.startsWith("file://"))
            throw new Error(`the lab engine only keeps state in files; backend URL ${url} is not supported`);
        const path = url.slice("file://".length).replace(/\?.*$/, "");
        this.root = join(
            path.startsWith("~") ? join(process.env["HOME"] ?? "", path.slice(1)) : resolve(path),
            ".pulumi",
        );
        if (!existsSync(join(this.root, "meta.yaml")) && !existsSync(join(this.root, "stacks"))) {
            writeAtomic(join(this.root, "meta.yaml"), "version: 1\n");
        }
    }

    private stackFile(s: StackName): string {
        return join(this.root, "stacks", s.project, `${s.name}.json`);
    }
    private lockFolder(s: StackName): string {
        return join(this.root, "locks", ORGANIZATION, s.project, s.name);
    }

    exists(s: StackName): boolean {
        return existsSync(this.stackFile(s)) || existsSync(`${this.stackFile(s)}.gz`);
    }

    /** Stacks of one project, or of all. */
    list(project?: string): StackName[] {
        const root = join(this.root, "stacks");
        if (!existsSync(root)) return [];
        const projects = project === undefined ? readdirSync(root).sort() : [project];
        return projects.flatMap((p) => {
            const folder = join(root, p);
            if (!existsSync(folder)) return [];
            const names = readdirSync(folder).map((f) => /^(.+)\.json(?:\.gz)?$/.exec(f)?.[1]);
            return [...new Set(names.filter((n): n is string => n !== undefined))]
                .sort()
                .map((name) => ({ project: p, name }));
        });
    }

    /** The raw checkpoint, or undefined if the stack does not exist. */
    readFile(s: StackName): CheckpointFile | undefined {
        const text = readMaybeCompressed(this.stackFile(s));
        return text === undefined ? undefined : (JSON.parse(text) as CheckpointFile);
    }

    /** Reads and checks the state of a stack. @throws Error if it does not exist or breaks the integrity rules. */
    async load(s: StackName): Promise<Snapshot> {
        const file = this.readFile(s);
        if (!file) throw new Error(`no stack named '${s.name}' found`);
        const d = file.checkpoint.latest ?? { manifest: { time: "", magic: "", version: "" } };
        const salt = secretsSalt(d);
        const secrets: SecretsManager | undefined =
            salt === undefined ? undefined : await openSecrets(salt, passphrase());
        const snap = readDeployment(
            { version: file.version, ...(file.features ? { features: file.features } : {}), deployment: d },
            secrets,
        );
        const bad = integrityError(snap.resources);
        if (bad !== undefined) throw new Error(`snapshot integrity failure; refusing to use it: ${bad}`);
        return snap;
    }

    /** Stores the state of a stack; the content before stays in the `.bak` file. */
    save(s: StackName, snap: Snapshot): void {
        writeAtomic(this.stackFile(s), checkpointText(snap, fullName(s)), true);
    }

    /** Stores the states of several stacks, in this order. @throws Error, and stores none, if one of them is locked */
    saveAll(states: readonly (readonly [StackName, Snapshot])[]): void {
        const unlocks: (() => void)[] = [];
        try {
            for (const [s] of states) unlocks.push(this.lock(s));
            for (const [s, snap] of states) this.save(s, snap);
        } finally {
            for (const unlock of unlocks) unlock();
        }
    }

    /** Removes a stack and what belongs to it; history and backups of it as well. */
    remove(s: StackName): void {
        for (const f of [this.stackFile(s), `${this.stackFile(s)}.gz`]) {
            if (existsSync(f)) renameSync(f, `${f}.bak`);
        }
        rmSync(join(this.root, "history", s.project, s.name), { recursive: true, force: true });
        clearLocks(this.lockFolder(s));
    }

    lock(s: StackName): () => void {
        const folder = this.lockFolder(s);
        return takeLock(folder, `file://${folder}`);
    }
    unlockAll(s: StackName): void {
        clearLocks(this.lockFolder(s));
    }

    /** Notes a finished operation: history record, copy of the checkpoint, backup. */
    record(s: StackName, entry: HistoryRecord): void {
        const text = readMaybeCompressed(this.stackFile(s));
        if (text === undefined) return;
        const stamp = `${BigInt(Date.now()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n)}`;
        const history = join(this.root, "history", s.project, s.name);
        writeAtomic(join(history, `${s.name}-${stamp}.history.json`), JSON.stringify(entry));
        writeAtomic(join(history, `${s.name}-${stamp}.checkpoint.json`), text);
        if (!process.env["PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS"]) {
            writeAtomic(join(this.root, "backups", s.project, s.name, `${s.name}.${stamp}.json`), text);
        }
    }

    /** Finished operations, newest first. */
    history(s: StackName): HistoryRecord[] {
        const folder = join(this.root, "history", s.project, s.name);
        if (!existsSync(folder)) return [];
        const files = readdirSync(folder)
            .filter((f) => f.endsWith(".history.json"))
            .sort()
            .reverse();
        return files.map((f) => JSON.parse(readFileSync(join(folder, f), "utf8")) as HistoryRecord);
    }

    /** Time of the last write of a stack's file in ms, or undefined. */
    lastUpdate(s: StackName): number | undefined {
        return this.history(s)[0]?.endTime;
    }
}

/** The salt in a deployment's secrets provider. @throws Error for providers other than the passphrase. */
export function secretsSalt(d: Deployment): string | undefined {
    const p = d.secrets_providers;
    if (!p) return undefined;
    if (p["type"] !== "passphrase")
        throw new Error(`the lab engine only knows the passphrase secrets provider, not ${String(p["type"])}`);
    return (p["state"] as { salt?: string } | undefined)?.salt;
}

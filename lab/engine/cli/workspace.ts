import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { FileBackend, ORGANIZATION, secretsSalt, writeAtomic, type StackName } from "../backend";
import { createSecrets, openSecrets, passphrase, type SecretsManager } from "../secrets";
import type { Snapshot } from "../state";
import type { Arguments } from "./args";
import { findProjectFile, loadProject, type Project } from "./project";
import { StackSelection, workingFolder } from "./selection";
import { settingsFile, StackSettings } from "./stackconfig";

/** Folder of settings that belong to the user. */
export function pulumiHome(): string {
    return process.env["PULUMI_HOME"] || join(homedir(), ".pulumi");
}

function credentialsFile(): string {
    return join(process.env["PULUMI_CREDENTIALS_PATH"] || pulumiHome(), "credentials.json");
}

/** Remembers a backend for later commands. */
export function rememberBackend(url: string): void {
    mkdirSync(dirname(credentialsFile()), { recursive: true });
    writeAtomic(credentialsFile(), JSON.stringify({ current: url, accounts: { [url]: {} } }, null, 4));
}
/** Forgets it again. */
export function forgetBackend(): void {
    if (existsSync(credentialsFile()))
        writeAtomic(credentialsFile(), JSON.stringify({ current: "", accounts: {} }, null, 4));
}

/** The backend's URL: from the environment, the project, or the last `login`. @throws Error if there is none */
export function backendUrl(project?: Project): string {
    const named = process.env["PULUMI_BACKEND_URL"] || project?.backendUrl;
    if (named) return named;
    if (existsSync(credentialsFile())) {
        const c = JSON.parse(readFileSync(credentialsFile(), "utf8")) as { current?: string };
        if (c.current) return c.current;
    }
    throw new Error(
        "PULUMI_BACKEND_URL must be set or `pulumi login file://<folder>` be run first; the lab engine keeps state in files only",
    );
}

/** What commands work with: the project of the working folder and the backend. */
export class Workspace {
    private loaded: Project | undefined;
    private opened: FileBackend | undefined;

    constructor(readonly args: Arguments) {}

    get backend(): FileBackend {
        return (this.opened ??= new FileBackend(this.backendUrl));
    }
    private get backendUrl(): string {
        return backendUrl(this.hasProject ? this.project : undefined);
    }
    get project(): Project {
        return (this.loaded ??= loadProject(process.cwd()));
    }
    get hasProject(): boolean {
        return findProjectFile(process.cwd()) !== undefined;
    }

    /** Reads a stack name in short or long form. @throws Error for names that are not valid */
    parseStack(name: string): StackName {
        const parts = name.split("/");
        const [stack] = parts.slice(-1);
        if (stack === undefined || !/^[A-Za-z0-9_.-]{1,100}$/.test(stack))
            throw new Error(
                `invalid stack name: a stack name may only contain alphanumeric, hyphens, underscores, or periods`,
            );
        if (parts.length === 3) {
            if (parts[0] !== ORGANIZATION) throw new Error(`organization name must be 'organization'`);
            return { project: parts[1] as string, name: stack };
        }
        if (parts.length === 2 && parts[0] !== ORGANIZATION)
            throw new Error(`organization name must be 'organization'`);
        return { project: this.project.name, name: stack };
    }

    private get selection(): StackSelection {
        const file = findProjectFile(workingFolder()) ?? "";
        return new StackSelection(pulumiHome(), this.project.name, file, this.backendUrl);
    }
    get selected(): string | undefined {
        if (process.env["PULUMI_STACK"]) return process.env["PULUMI_STACK"];
        if (!this.hasProject) return undefined;
        const found = this.selection.get();
        if (found?.anyBackend && !this.canParse(found.name)) return undefined;
        return found?.name;
    }
    select(s: StackName | undefined): void {
        if (s) this.selection.set(`${ORGANIZATION}/${s.project}/${s.name}`);
        else this.selection.clear();
    }
    private canParse(name: string): boolean {
        try {
            this.parseStack(name);
            return true;
        } catch {
            return false;
        }
    }

    /** The stack a command is about: `--stack`, or the selected one. @throws Error if there is none, or it does not exist */
    currentStack(): StackName {
        const given = this.args.text("stack");
        const name = given ?? this.selected;
        if (name === undefined) {
            throw new Error("no stack selected; please use `pulumi stack select` or `pulumi stack init` to choose one");
        }
        const s = this.parseStack(name);
        if (!this.backend.exists(s)) throw new Error(`no stack named '${given ?? s.name}' found`);
        return s;
    }

    settings(s: StackName): StackSettings {
        return new StackSettings(settingsFile(this.project, s.name, this.args.text("config-file")));
    }

    /** The stack's key for configuration; made and noted in the settings on first use. */
    async secrets(s: StackName, settings: StackSettings): Promise<SecretsManager> {
        const salt = settings.salt;
        if (salt !== undefined) return openSecrets(salt, passphrase());
        const latest = this.backend.readFile(s)?.checkpoint.latest;
        const old = latest && secretsSalt(latest);
        const m = old === undefined ? await createSecrets(passphrase()) : await openSecrets(old, passphrase());
        settings.salt = m.salt;
        settings.save();
        return m;
    }

    /** The stack's state; its key is the one of the settings if the state has none. */
    async snapshot(s: StackName): Promise<Snapshot> {
        return this.backend.load(s);
    }
}

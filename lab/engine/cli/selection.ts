import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeAtomic } from "../backend";

/** What a workspace file holds. */
interface WorkspaceFile {
    /** The selected stack of any backend, as CLIs before 3.256 wrote it. */
    stack?: string;
    /** The selected stack by URL of the backend. */
    stacks?: Record<string, string>;
}

/** The working folder as the shell names it, links included; the real CLI finds its files by that name. */
export function workingFolder(): string {
    const named = process.env["PWD"];
    if (named?.startsWith("/") && existsSync(named)) {
        const [a, b] = [statSync(named), statSync(".")];
        if (a.dev === b.dev && a.ino === b.ino) return named;
    }
    return process.cwd();
}

/** Which stack of a project is selected, kept where the real CLI keeps it: one file a project, one entry a backend. */
export class StackSelection {
    private readonly file: string;

    /**
     * @param home folder of the user's Pulumi settings
     * @param projectFile path of Pulumi.yaml
     */
    constructor(
        home: string,
        project: string,
        projectFile: string,
        private readonly backend: string,
    ) {
        const hash = createHash("sha1").update(projectFile).digest("hex");
        this.file = join(home, "workspaces", `${project}-${hash}-workspace.json`);
    }

    private read(): WorkspaceFile {
        return existsSync(this.file) ? (JSON.parse(readFileSync(this.file, "utf8")) as WorkspaceFile) : {};
    }

    /** The selected stack; a selection without backend may be another backend's. */
    get(): { name: string; anyBackend: boolean } | undefined {
        const { stack, stacks } = this.read();
        const own = stacks?.[this.backend];
        if (own !== undefined) return { name: own, anyBackend: false };
        return stack ? { name: stack, anyBackend: true } : undefined;
    }

    set(name: string): void {
        const w = this.read();
        this.write({ ...w, stacks: { ...w.stacks, [this.backend]: name } });
    }

    clear(): void {
        const { [this.backend]: _own, ...others } = this.read().stacks ?? {};
        this.write(Object.keys(others).length > 0 ? { stacks: others } : {});
    }

    private write(w: WorkspaceFile): void {
        if (Object.keys(w).length === 0) rmSync(this.file, { force: true });
        else writeAtomic(this.file, JSON.stringify(w, null, 4));
    }
}

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { parse } from "yaml";

/** One entry of the `config` section of a project file. */
export interface ProjectConfigEntry {
    type?: string;
    default?: unknown;
    value?: unknown;
    secret?: boolean;
    description?: string;
}

/** A project file (Pulumi.yaml). */
export interface Project {
    /** Folder of the project file. */
    root: string;
    name: string;
    runtime: string;
    runtimeOptions: Record<string, unknown>;
    /** Entry of the program relative to the root, if not the folder itself. */
    main: string | undefined;
    config: Record<string, ProjectConfigEntry>;
    /** `options.refresh` of the project: "always" makes every operation refresh first. */
    refreshAlways: boolean;
    /** Folder of stack settings, relative to the root. */
    /** URL of the backend, if the project names one. */
    backendUrl: string | undefined;
    stackConfigDir: string | undefined;
    /** Providers given by folder in the `plugins` section. */
    providerPaths: { name: string; path: string }[];
}

const FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The project file in a folder or the nearest one above. */
export function findProjectFile(from: string): string | undefined {
    for (let dir = resolve(from); ; dir = dirname(dir)) {
        for (const f of FILES) if (existsSync(join(dir, f))) return join(dir, f);
        if (dirname(dir) === dir) return undefined;
    }
}

/** Reads the project of a folder. @throws Error in the real CLI's words if there is none or it is not valid. */
export function loadProject(from: string): Project {
    const file = findProjectFile(from);
    if (!file) {
        throw new Error(
            "no Pulumi.yaml project file found (searching upwards from " +
                resolve(from) +
                "). If you have not created a project yet, use `pulumi new` to do so",
        );
    }
    const y = (parse(readFileSync(file, "utf8")) ?? {}) as Record<string, unknown>;
    if (typeof y["name"] !== "string" || y["name"] === "")
        throw new Error(`could not validate '${file}': project is missing a 'name' attribute`);
    const runtime = y["runtime"];
    if (runtime === undefined)
        throw new Error(`could not validate '${file}': project is missing a 'runtime' attribute`);
    const r = (typeof runtime === "string" ? { name: runtime } : runtime) as {
        name?: string;
        options?: Record<string, unknown>;
    };
    const config: Record<string, ProjectConfigEntry> = {};
    if (y["config"] && typeof y["config"] === "object") {
        for (const [k, v] of Object.entries(y["config"] as Record<string, unknown>)) config[k] = configEntry(v);
    }
    const options = (y["options"] ?? {}) as Record<string, unknown>;
    const plugins = (y["plugins"] ?? {}) as { providers?: { name: string; path: string }[] };
    const backend = (y["backend"] ?? {}) as { url?: string };
    const configDir = typeof y["config"] === "string" ? y["config"] : y["stackConfigDir"];
    return {
        root: dirname(file),
        name: y["name"],
        runtime: r.name ?? "",
        runtimeOptions: r.options ?? {},
        main: typeof y["main"] === "string" && y["main"] !== "" ? y["main"] : undefined,
        config,
        refreshAlways: options["refresh"] === "always",
        backendUrl: backend.url,
        stackConfigDir: typeof configDir === "string" ? configDir : undefined,
        providerPaths: (plugins.providers ?? []).map((p) => ({ name: p.name, path: resolve(dirname(file), p.path) })),
    };
}

/** A plain value is short for an entry with that value; a map with known keys is the long form. */
function configEntry(v: unknown): ProjectConfigEntry {
    if (v !== null && typeof v === "object" && !Array.isArray(v)) {
        const keys = Object.keys(v);
        if (keys.some((k) => ["type", "default", "value", "secret", "description", "items"].includes(k))) return v;
    }
    return { value: v };
}

/** Working directory and entry of the program: with `main` naming a file, the file's folder is the working directory. */
export function programEntry(p: Project): { pwd: string; main: string } {
    if (p.main === undefined) return { pwd: p.root, main: "." };
    const full = isAbsolute(p.main) ? p.main : join(p.root, p.main);
    if (existsSync(full) && statSync(full).isDirectory()) return { pwd: full, main: "." };
    return { pwd: dirname(full), main: full.slice(dirname(full).length + 1) };
}

import * as fs from "node:fs";
import * as path from "node:path";

/** The members of a package.json that the host reads. */
interface Manifest {
    readonly name?: string;
    readonly version?: string;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
    readonly pulumi?: {
        readonly resource?: boolean;
        readonly name?: string;
        readonly version?: string;
    };
}

/** A package that a program can load, or a plugin. */
export interface Installed {
    readonly name: string;
    readonly version: string;
}

/**
 * Resource plugins that the packages of a program need, by the `pulumi` member of their package.json. The CLI takes the
 * versions of default providers from them. Packages are searched where Node searches them: in each `node_modules` from
 * the program's folder upwards.
 */
export function requiredPlugins(folder: string): Installed[] {
    const found = new Map<string, Installed>();
    for (const modules of modulesAbove(folder))
        for (const name of packageNames(modules)) {
            const { pulumi, version } = readManifest(path.join(modules, name)) ?? {};
            if (pulumi?.resource !== true) continue;
            const plugin = pulumi.name ?? name.replace(/^@pulumi\//, "").replace("/", "-");
            const needed = (pulumi.version ?? version ?? "").replace(/^v?(?=\d)/, "v");
            if (!found.has(plugin)) found.set(plugin, { name: plugin, version: needed });
        }
    return [...found.values()];
}

/**
 * Returns the packages that a program names, with the versions that it loads. If `transitive`, it adds all that these
 * need in turn.
 */
export function dependenciesOf(folder: string, transitive: boolean): Installed[] {
    const found = new Map<string, Installed>();
    const visit = (from: string, names: readonly string[]): void => {
        for (const name of names) {
            const at = locate(from, name);
            const manifest = at === undefined ? undefined : readManifest(at);
            if (at === undefined || manifest === undefined || found.has(at)) continue;
            found.set(at, { name, version: manifest.version ?? "" });
            if (transitive) visit(at, Object.keys(manifest.dependencies ?? {}));
        }
    };
    const { dependencies, devDependencies } = readManifest(folder) ?? {};
    visit(folder, Object.keys({ ...dependencies, ...devDependencies }));
    return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function* modulesAbove(folder: string): Generator<string> {
    for (let at = fs.realpathSync(folder); ; at = path.dirname(at)) {
        const modules = path.join(at, "node_modules");
        if (fs.existsSync(modules)) yield modules;
        if (at === path.dirname(at)) return;
    }
}

function packageNames(modules: string): string[] {
    return fs
        .readdirSync(modules)
        .filter((name) => !name.startsWith("."))
        .flatMap((name) =>
            name.startsWith("@") ? fs.readdirSync(path.join(modules, name)).map((own) => `${name}/${own}`) : [name],
        );
}

function locate(from: string, name: string): string | undefined {
    for (const modules of modulesAbove(from)) {
        const at = path.join(modules, name);
        if (fs.existsSync(path.join(at, "package.json"))) return at;
    }
    return undefined;
}

function readManifest(folder: string): Manifest | undefined {
    try {
        return JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")) as Manifest;
    } catch {
        return undefined; // A folder without a package, or with a package that npm could not have installed.
    }
}

/** Writes `NOTICE` from the lock file: `node dist/tools/docs/notice.js`. */

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { wrapMarkdown } from "./wrap";

const ROOT = dirname(require.resolve("ack-loadbalancer/package.json"));

const INTRODUCTION = `ack-loadbalancer

Copyright the authors of ack-loadbalancer. Licensed under the Apache License 2.0, see LICENSE.

The package loads the packages below, each under its own license, whose text is in its folder. npm installs them with
the package or for its peer dependencies; the archive of the plugin contains them, and the image of the sync controller
those that the controller loads. The SBOM of a release has their versions.`;

/** Packages whose package.json names no license but its file. */
const IN_A_FILE: Readonly<Record<string, string>> = { "@logdna/tail-file": "MIT" };

/** An entry of the lock file. */
interface Locked {
    readonly license?: string;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly peerDependencies?: Readonly<Record<string, string>>;
    readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Returns the file, with the names of packages by license. */
export function renderNotice(): string {
    const names = new Map<string, Set<string>>();
    for (const [folder, { license = "" }] of installed()) {
        const name = folder.slice(folder.lastIndexOf(MODULES) + MODULES.length);
        const known = IN_A_FILE[name] ?? license.replace("Apache License 2.0", "Apache-2.0");
        if (known === "" || known.startsWith("SEE")) throw new Error(`the license of ${name} is not known`);
        names.set(known, (names.get(known) ?? new Set()).add(name));
    }
    const parts = [...names]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([license, packages]) => {
            return `${license}: ${[...packages].sort().join(", ")}.`;
        });
    return `${wrapMarkdown([INTRODUCTION, ...parts].join("\n\n"))}\n`;
}

const MODULES = "node_modules/";

/** Entries of the lock file, by folder, that npm installs with the package. */
function installed(): Map<string, Locked> {
    const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
        readonly packages: Readonly<Record<string, Locked>>;
    };
    const found = new Map<string, Locked>();
    const visit = (folder: string, { dependencies, peerDependencies, peerDependenciesMeta }: Locked = {}): void => {
        for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
            if (peerDependenciesMeta?.[name]?.optional) continue;
            // The nearest folder, as Node finds it.
            let at = folder;
            while (at !== "" && packages[join(at, MODULES, name)] === undefined)
                at = at.slice(0, at.lastIndexOf(MODULES));
            const place = join(at, MODULES, name);
            const entry = packages[place];
            if (entry === undefined) throw new Error(`${name} of ${folder} is not in the lock file`);
            if (found.has(place)) continue;
            found.set(place, entry);
            visit(place, entry);
        }
    };
    visit("", packages[""]);
    return found;
}

if (require.main === module) writeFileSync(join(ROOT, "NOTICE"), renderNotice());

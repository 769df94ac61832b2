/** Writes the graph of folders into `docs/internal/architecture.md`: `node dist/tools/docs/architecture.js`. */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { folderGraph, type Module, renderMermaid, withoutImplied } from "../dependencies/graph";

const ROOT = dirname(require.resolve("ack-loadbalancer/package.json"));
const PAGE = join(ROOT, "docs", "internal", "architecture.md");

/** Folders that ship. */
const PRODUCT = ["provider", "components", "policies", "cli"];

/** True if a file is drawn: tests are not. */
export const isDrawn = (file: string): boolean =>
    PRODUCT.some((folder) => file.startsWith(`${folder}/`)) && !file.endsWith(".test.ts");

/** Every module of the product with what it imports, types included. */
export function readModules(): Module[] {
    const output = execFileSync(
        process.execPath,
        [
            join(ROOT, "node_modules/.bin/depcruise"),
            "--config",
            ".dependency-cruiser.cjs",
            "--output-type",
            "json",
            ...PRODUCT,
        ],
        { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"] },
    );
    return (JSON.parse(output) as { modules: Module[] }).modules;
}

/** Returns the page with the graph of today's sources between `<!-- graph -->` and `<!-- /graph -->`. */
export function renderArchitecture(page: string): string {
    const graph = renderMermaid(withoutImplied(folderGraph(readModules(), isDrawn)));
    return page.replace(
        /(<!-- graph -->\n)[\s\S]*?(<!-- \/graph -->)/,
        (_, start: string, end: string) => `${start}\n\`\`\`mermaid\n${graph}\`\`\`\n\n${end}`,
    );
}

if (require.main === module) writeFileSync(PAGE, renderArchitecture(readFileSync(PAGE, "utf8")));

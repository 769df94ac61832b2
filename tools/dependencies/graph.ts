/** The folders of the project and which of them use which, from what dependency-cruiser reads. Pure. */

/** A module of dependency-cruiser's JSON report, as far as the graph needs it. */
export interface Module {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
}

/** Which folders a folder uses, by folder, both in alphabetical order. */
export type FolderGraph = ReadonlyMap<string, readonly string[]>;

/** Top-level folders whose own folders are drawn individually. */
const DIVIDED = ["provider", "components", "policies", "cli"];

/** The folder that a file is drawn in: `provider/plan` for `provider/plan/reuse/index.ts`, `lab` for all of the lab. */
export function folderOf(file: string): string {
    const parts = file.split("/");
    const depth = DIVIDED.includes(parts[0] ?? "") ? 2 : 1;
    return parts.slice(0, Math.min(depth, parts.length - 1)).join("/");
}

/** The folders and their uses. Tests, and folders that are not the project's own, are left out. */
export function folderGraph(modules: readonly Module[], isDrawn: (file: string) => boolean): FolderGraph {
    const graph = new Map<string, Set<string>>();
    for (const { source, dependencies } of modules.filter((module) => isDrawn(module.source))) {
        const from = folderOf(source);
        const uses = graph.get(from) ?? new Set<string>();
        graph.set(from, uses);
        for (const { resolved } of dependencies) {
            if (isDrawn(resolved) && folderOf(resolved) !== from) uses.add(folderOf(resolved));
        }
    }
    return new Map([...graph].sort().map(([folder, uses]) => [folder, [...uses].sort()]));
}

/** The graph without the arrows that follow from others: if a uses b and b uses c, a's use of c is left out. */
export function withoutImplied(graph: FolderGraph): FolderGraph {
    return new Map(
        [...graph].map(([folder, uses]) => [
            folder,
            uses.filter((use) => !uses.some((other) => other !== use && reaches(graph, other, use))),
        ]),
    );
}

/**
 * Returns the folders that use each other, directly or indirectly, as sorted lists. It is empty if imports have a
 * single direction.
 */
export function circles(graph: FolderGraph): string[][] {
    const found = new Set<string>();
    for (const folder of graph.keys()) {
        const circle = [...graph.keys()].filter(
            (other) => other !== folder && reaches(graph, folder, other) && reaches(graph, other, folder),
        );
        if (circle.length > 0) found.add([folder, ...circle].sort().join(" "));
    }
    return [...found].sort().map((circle) => circle.split(" "));
}

function reaches(graph: FolderGraph, from: string, to: string): boolean {
    const seen = new Set<string>();
    const next = [...(graph.get(from) ?? [])];
    for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
        if (folder === to) return true;
        if (seen.has(folder)) continue;
        seen.add(folder);
        next.push(...(graph.get(folder) ?? []));
    }
    return false;
}

/** The graph as a Mermaid flowchart, from what users write at the top to what uses nothing at the bottom. */
export function renderMermaid(graph: FolderGraph): string {
    const id = (folder: string) => folder.replaceAll(/[^a-z0-9]/g, "_");
    const tops = [...new Set([...graph.keys()].map((folder) => folder.split("/")[0] ?? folder))];
    const boxes = tops.flatMap((top) => {
        const folders = [...graph.keys()].filter((folder) => folder === top || folder.startsWith(`${top}/`));
        return [
            `    subgraph ${id(`in ${top}`)}["${top}/"]`,
            ...folders.map(
                (folder) => `        ${id(folder)}["${folder === top ? top : folder.slice(top.length + 1)}"]`,
            ),
            "    end",
        ];
    });
    const arrows = [...graph].flatMap(([folder, uses]) => uses.map((use) => `    ${id(folder)} --> ${id(use)}`));
    return ["flowchart TB", ...boxes, ...arrows, ""].join("\n");
}

/** Where each noun of the project stands: one noun has one name, and the file of that name is in every layer that knows it. Pure. */

/** Ten nouns and the file names that hold them, without the ending. The first one is the noun's own. */
export const NOUNS: Readonly<Record<string, readonly string[]>> = {
    "load balancer": ["load-balancer", "instance"],
    listener: ["listener"],
    "server group": ["server-group"],
    backend: ["backend", "backends"],
    ACL: ["acl"],
    certificate: ["certificate", "certificates"],
    zone: ["zones", "zone-check"],
    "reused load balancer": ["reuse", "reused"],
    Service: ["service"],
    "ownership claim": ["claim"],
};

/** Layers in the order in which a Service passes through them. */
export const LAYERS = [
    "provider/annotations",
    "provider/kubernetes",
    "provider/model",
    "provider/builder",
    "provider/backend",
    "provider/plan",
    "provider/alicloud",
    "provider/observe",
    "provider/deploy",
    "provider/resources",
    "components",
    "policies/rules",
] as const;

/** Files of a noun in a layer. */
export function filesOf(noun: string, layer: string, files: readonly string[]): string[] {
    const names = NOUNS[noun] ?? [];
    return files
        .filter((file) => file.startsWith(`${layer}/`) && !file.endsWith(".test.ts"))
        .filter((file) => names.includes(file.split("/").at(-1)?.replace(/\.ts$/, "") ?? ""))
        .sort();
}

/** The table of nouns by layers, in Markdown, with links from a page in docs/. Layers that know none of a noun are left out. */
export function renderNouns(files: readonly string[]): string {
    const rows = Object.keys(NOUNS).map((noun) => {
        const places = LAYERS.flatMap((layer) => filesOf(noun, layer, files));
        return `| ${noun} | ${places.map((file) => `[${file.replace(/\.ts$/, "")}](../${file})`).join(", ")} |`;
    });
    return ["| noun | files |", "|---|---|", ...rows, ""].join("\n");
}

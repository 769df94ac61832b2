/** A set of URNs given on the command line, with wildcards: `*` matches within a part, `**` across parts. */
export class UrnTargets {
    private readonly literals = new Set<string>();
    private readonly patterns: RegExp[] = [];

    constructor(texts: Iterable<string> = []) {
        for (const t of texts) {
            if (!t.includes("*")) this.literals.add(t);
            else {
                const parts = t
                    .split(/(\*\*|\*)/)
                    .map((p) => (p === "**" ? ".*" : p === "*" ? "[^:]*" : p.replace(/[.+?^${}()|[\]\\]/g, "\\$&")));
                this.patterns.push(new RegExp(`^${parts.join("")}$`, "s"));
            }
        }
    }

    /** False for the empty set, which stands for everything. */
    get constrained(): boolean {
        return this.literals.size > 0 || this.patterns.length > 0;
    }
    /** True if the URN is in the set, or if the set is not constrained. */
    contains(urn: string): boolean {
        return !this.constrained || this.literals.has(urn) || this.patterns.some((p) => p.test(urn));
    }
    add(urn: string): void {
        if (this.constrained) this.literals.add(urn);
    }
    /** The URNs that were given without wildcards. */
    get exact(): string[] {
        return [...this.literals];
    }
    clone(): UrnTargets {
        const c = new UrnTargets(this.literals);
        c.patterns.push(...this.patterns);
        return c;
    }
}

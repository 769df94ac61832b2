import { readdirSync, readFileSync } from "node:fs";

/** All processes below a process, from the process table. */
export function descendants(pid: number): number[] {
    const children = new Map<number, number[]>();
    for (const f of readdirSync("/proc")) {
        if (!/^\d+$/.test(f)) continue;
        try {
            const stat = readFileSync(`/proc/${f}/stat`, "utf8");
            const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
            children.set(parent, [...(children.get(parent) ?? []), Number(f)]);
        } catch {
            continue; // it has ended meanwhile
        }
    }
    const out: number[] = [];
    const visit = (p: number) => {
        for (const c of children.get(p) ?? []) {
            out.push(c);
            visit(c);
        }
    };
    visit(pid);
    return out;
}

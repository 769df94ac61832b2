import * as pulumi from "@pulumi/pulumi";

const withoutStack = {};

/** What is kept for one run of a program: several can run in one process, one after the other or at once. */
export function perRun<Kept extends object>(make: () => Kept): () => Kept {
    const kept = new WeakMap<object, Kept>();
    return () => {
        const run = pulumi.runtime.getStackResource() ?? withoutStack;
        const known = kept.get(run) ?? make();
        kept.set(run, known);
        return known;
    };
}

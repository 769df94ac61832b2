import type { Random } from "./random";

export const PACKAGE = "test";
/** `Thing` compares by itself and may ask for a replacement; `Bare` leaves the comparison to the engine. */
export type Kind = "Thing" | "Bare" | "Component";

/** One resource of a random program. References name resources that stand before it. */
export interface ResourceSpec {
    name: string;
    kind: Kind;
    size: number;
    /** A change replaces a `Thing`. */
    zone: string;
    /** The provider of a `Thing` asks for the deletion before the replacement. */
    mustDeleteFirst: boolean;
    parent: string | undefined;
    /** Its outputs are inputs; a change is an update. */
    references: string[];
    /** Its output is an input; a change replaces a `Thing`. */
    anchor: string | undefined;
    dependsOn: string[];
    protect: boolean;
    retainOnDelete: boolean;
    deletedWith: string | undefined;
    ignoreSize: boolean;
    deleteBeforeReplace: boolean | undefined;
    /** URNs that the resource had before. */
    aliases: string[];
    /** Id of an existing object that the resource is. */
    importId?: string;
}

export type ProgramSpec = readonly ResourceSpec[];

/** Makes and changes programs. Names are never used twice, so that aliases stay unambiguous. */
export class Programs {
    private serial = 0;

    constructor(private readonly random: Random) {}

    /** A program with up to eight resources. */
    create(): ResourceSpec[] {
        const program: ResourceSpec[] = [];
        for (let left = this.random.int(9); left > 0; left--) program.push(this.resource(program));
        return program;
    }

    private resource(before: readonly ResourceSpec[]): ResourceSpec {
        const { random } = this;
        const kind: Kind = random.chance(0.15) ? "Component" : random.chance(0.3) ? "Bare" : "Thing";
        const custom = before.filter((r) => r.kind !== "Component").map((r) => r.name);
        const components = before.filter((r) => r.kind === "Component").map((r) => r.name);
        const oneOf = (names: readonly string[], probability: number) =>
            names.length > 0 && random.chance(probability) ? random.pick(names) : undefined;
        const isCustom = kind !== "Component";
        return {
            name: `r${++this.serial}`,
            kind,
            size: random.int(3),
            zone: random.pick(["a", "b"]),
            mustDeleteFirst: random.chance(0.3),
            parent: oneOf(components, 0.5),
            references: isCustom ? random.some(custom, 0.3) : [],
            anchor: isCustom ? oneOf(custom, 0.3) : undefined,
            dependsOn: random.some([...custom, ...components], 0.15),
            protect: random.chance(0.05),
            retainOnDelete: random.chance(0.05),
            deletedWith: oneOf(custom, 0.1),
            ignoreSize: random.chance(0.1),
            deleteBeforeReplace: random.chance(0.2) ? random.chance(0.5) : undefined,
            aliases: [],
        };
    }

    /**
     * The next version of a program: resources removed, added, changed, renamed.
     * @param urnOf the URN that a resource has in the state, if it is there
     */
    change(program: ProgramSpec, urnOf: (name: string) => string | undefined): ResourceSpec[] {
        const { random } = this;
        const kept = program.filter(() => !random.chance(0.15)).map((r) => ({ ...r }));
        const next: ResourceSpec[] = [];
        for (const r of kept) {
            const isKnown = (name: string) => next.some((n) => n.name === name);
            r.references = r.references.filter(isKnown);
            r.dependsOn = r.dependsOn.filter(isKnown);
            for (const key of ["parent", "anchor", "deletedWith"] as const)
                if (r[key] !== undefined && !isKnown(r[key])) r[key] = undefined;
            if (random.chance(0.4)) this.changeOne(r);
            next.push(r);
            if (random.chance(0.15)) next.push(this.resource(next));
        }
        if (random.chance(0.4)) next.push(this.resource(next));
        for (const r of next.filter(() => random.chance(0.08))) this.rename(next, r, urnOf(r.name));
        return next;
    }

    private changeOne(r: ResourceSpec): void {
        const { random } = this;
        const changes: (() => void)[] = [
            () => (r.size = random.int(3)),
            () => (r.zone = r.zone === "a" ? "b" : "a"),
            () => (r.mustDeleteFirst = !r.mustDeleteFirst),
            () => (r.protect = random.chance(0.2)),
            () => (r.retainOnDelete = random.chance(0.3)),
            () => (r.ignoreSize = !r.ignoreSize),
            () => (r.deleteBeforeReplace = random.chance(0.5)),
            () => (r.references = r.references.slice(1)),
            () => (r.anchor = undefined),
        ];
        random.pick(changes)();
    }

    private rename(program: readonly ResourceSpec[], r: ResourceSpec, urn: string | undefined): void {
        if (urn === undefined) return;
        const old = r.name;
        r.name = `r${++this.serial}`;
        r.aliases = [urn, ...r.aliases];
        for (const other of program) {
            other.references = other.references.map((name) => (name === old ? r.name : name));
            other.dependsOn = other.dependsOn.map((name) => (name === old ? r.name : name));
            for (const key of ["parent", "anchor", "deletedWith"] as const) if (other[key] === old) other[key] = r.name;
        }
    }
}

import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { createSecrets } from "../secrets";
import { Secret } from "../value";
import {
    checkpointText,
    changeUrn,
    deletionOrder,
    dependenciesOf,
    deserializeResource,
    emptySnapshot,
    exportDeployment,
    forgetResource,
    HasDependants,
    integrityError,
    makeUrn,
    newState,
    readDeployment,
    resolveAliases,
    serializeResource,
    type ResourceState,
} from ".";

const urn = (name: string) => makeUrn("dev", "p", "", "t:m:R", name);
const resource = (name: string, more: Partial<ResourceState> = {}): ResourceState =>
    newState({ urn: urn(name), type: "t:m:R", custom: true, id: `id-${name}`, ...more });

/** Lists in which every resource may depend on any before it. */
const dag = fc
    .integer({ min: 1, max: 12 })
    .chain((n) =>
        fc
            .tuple(...Array.from({ length: n }, (_, i) => fc.uniqueArray(fc.nat(Math.max(0, i - 1)), { maxLength: i })))
            .map((deps) =>
                deps.map((d, i) =>
                    resource(`r${i}`, { dependencies: d.filter((x) => x < i).map((x) => urn(`r${x}`)) }),
                ),
            ),
    );

test("deletion groups hold every resource once, dependants first", () => {
    fc.assert(
        fc.property(dag, (list) => {
            const groups = deletionOrder(list, list);
            const at = new Map(groups.flatMap((g, i) => g.map((r) => [r.urn, i] as const)));
            expect(groups.flat().length).toBe(list.length);
            for (const r of list)
                for (const d of dependenciesOf(r))
                    expect((at.get(r.urn) as number) < (at.get(d.urn) as number)).toBe(true);
        }),
    );
});

test("every list in dependency order is sound, and a reversed dependency is found", () => {
    fc.assert(fc.property(dag, (list) => integrityError(list) === undefined));
    expect(integrityError([resource("a", { dependencies: [urn("b")] }), resource("b")]) ?? "").toMatch(
        /comes after it/,
    );
    expect(integrityError([resource("a", { dependencies: [urn("b")] })]) ?? "").toMatch(/refers to missing resource/);
});

test("a resource comes back from the record as it was, and secrets are not readable in it", async () => {
    const { crypter } = await createSecrets("pw");
    const r = resource("a", {
        inputs: { open: 1, hidden: new Secret("very-secret"), deep: { list: [new Secret({ x: "very-secret" })] } },
        protect: true,
        customTimeouts: { create: 60 },
        dependencies: [urn("b")],
    });
    const text = JSON.stringify(serializeResource(r, crypter));
    expect(text.includes("very-secret")).toBeFalsy();
    const back = deserializeResource(JSON.parse(text), crypter);
    expect({ ...back, created: undefined, modified: undefined }).toStrictEqual({
        ...r,
        created: undefined,
        modified: undefined,
    });
});

test("an unchanged secret keeps its ciphertext", async () => {
    const manager = await createSecrets("pw");
    const r = resource("a", { inputs: { hidden: new Secret("very-secret") } });
    const snap = { ...emptySnapshot(manager), resources: [r] };
    const first = checkpointText(snap, "dev");
    expect(first.includes("very-secret")).toBeFalsy();
    const again = readDeployment(exportDeployment(snap, false), manager);
    expect(JSON.stringify(exportDeployment(again, false).deployment.resources)).toBe(
        JSON.stringify(exportDeployment(snap, false).deployment.resources),
    );
});

test("states that need newer features say so", () => {
    const snap = emptySnapshot(undefined);
    expect(exportDeployment(snap, false).version).toBe(3);
    const tainted = { ...snap, resources: [resource("a", { taint: true })] };
    expect([exportDeployment(tainted, false).version, exportDeployment(tainted, false).features]).toStrictEqual([
        4,
        ["taint"],
    ]);
    expect(() => readDeployment({ ...exportDeployment(snap, false), version: 5 }, undefined)).toThrow(/newer/);
    expect(() => readDeployment({ ...exportDeployment(tainted, false), features: ["telepathy"] }, undefined)).toThrow(
        /telepathy/,
    );
});

test("references to a former URN are replaced", () => {
    const s = resolveAliases({
        ...emptySnapshot(undefined),
        resources: [
            resource("new", { aliases: [urn("old")] }),
            resource("user", { dependencies: [urn("old")], propertyDependencies: { p: [urn("old")] } }),
        ],
    });
    expect(s.resources.map((r) => r.aliases)).toStrictEqual([[], []]);
    expect(s.resources[1]?.dependencies).toStrictEqual([urn("new")]);
    expect(s.resources[1]?.propertyDependencies).toStrictEqual({ p: [urn("new")] });
});

test("forgetting needs consent for dependants and for protection", () => {
    const fresh = () => ({
        ...emptySnapshot(undefined),
        resources: [resource("a"), resource("b", { dependencies: [urn("a")], protect: true })],
    });
    const refuse = (): void => {
        throw new Error("protected");
    };
    let s = fresh();
    expect(() => forgetResource(s, s.resources[0] as ResourceState, false, refuse)).toThrow(HasDependants);
    expect(() => forgetResource(s, s.resources[0] as ResourceState, true, refuse)).toThrow(/protected/);
    s = fresh();
    forgetResource(s, s.resources[0] as ResourceState, true, () => undefined);
    expect(s.resources).toStrictEqual([]);
});

test("a new URN reaches children, dependants and provider references", () => {
    const parent = newState({ urn: makeUrn("dev", "p", "", "c:m:Box", "box"), type: "c:m:Box", custom: false });
    const child = newState({
        urn: makeUrn("dev", "p", parent.urn, "t:m:R", "in"),
        type: "t:m:R",
        custom: true,
        id: "1",
        parent: parent.urn,
    });
    const user = resource("user", { dependencies: [parent.urn, child.urn] });
    const s = { ...emptySnapshot(undefined), resources: [parent, child, user] };
    const to = makeUrn("dev", "p", "", "c:m:Crate", "box");
    changeUrn(s, parent.urn, to);
    expect(child.urn).toBe(makeUrn("dev", "p", to, "t:m:R", "in"));
    expect(user.dependencies).toStrictEqual([to, child.urn]);
    expect(integrityError(s.resources)).toBeUndefined();
});

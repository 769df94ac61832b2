import { expect, test } from "@jest/globals";
import {
    emptySnapshot,
    integrityError,
    makeUrn,
    moveResources,
    newState,
    type ResourceState,
    rootStackUrn,
    type Snapshot,
} from ".";

const TARGET = { name: "blue", project: "p" };

const urn = (name: string, { stack = "dev", parent = "", type = "t:m:R" } = {}) =>
    makeUrn(stack, "p", parent, type, name);
const PROVIDER = urn("cloud", { type: "pulumi:providers:t" });

function snapshot(...resources: ResourceState[]): Snapshot {
    return { ...emptySnapshot(undefined), resources };
}

function provider(stack: string, id: string, inputs = {}): ResourceState {
    const type = "pulumi:providers:t";
    return newState({ urn: urn("cloud", { stack, type }), type, custom: true, id, inputs });
}

const resource = (name: string, more: Partial<ResourceState> = {}): ResourceState =>
    newState({ urn: urn(name), type: "t:m:R", custom: true, id: `id-${name}`, provider: `${PROVIDER}::1`, ...more });

/** A stack with a provider, a component with a child, and a resource beside it. */
function source(beside: Partial<ResourceState> = {}, child: Partial<ResourceState> = {}): Snapshot {
    const root = newState({ urn: rootStackUrn("dev", "p"), type: "pulumi:pulumi:Stack", custom: false });
    return snapshot(
        root,
        provider("dev", "1"),
        newState({ urn: urn("shop", { type: "t:m:C" }), type: "t:m:C", custom: false, parent: root.urn }),
        resource("child", {
            urn: urn("child", { parent: urn("shop", { type: "t:m:C" }) }),
            parent: urn("shop", { type: "t:m:C" }),
            ...child,
        }),
        resource("beside", { parent: root.urn, ...beside }),
    );
}
const SHOP = urn("shop", { type: "t:m:C" });

const names = ({ resources }: Snapshot) => resources.map((r) => r.urn);

test("a component goes with its children, under the root of the other stack, which gets a copy of the provider", () => {
    const [from, into] = [source(), snapshot()];
    const { moved, brokenInSource, brokenInTarget } = moveResources(from, into, TARGET, [SHOP], false);
    expect(moved).toEqual([SHOP, urn("child", { parent: SHOP })]);
    expect([...brokenInSource, ...brokenInTarget]).toEqual([]);
    expect(names(from)).toEqual([rootStackUrn("dev", "p"), PROVIDER, urn("beside")]);
    expect(names(into)).toEqual([
        rootStackUrn("blue", "p"),
        PROVIDER.replace("dev", "blue"),
        SHOP.replace("dev", "blue"),
        urn("child", { parent: SHOP, stack: "blue" }),
    ]);
    expect(into.resources[3]).toMatchObject({ id: "id-child", provider: `${PROVIDER.replace("dev", "blue")}::1` });
    expect([integrityError(from.resources), integrityError(into.resources)]).toEqual([undefined, undefined]);
});

test("a provider that is part of a component goes with it, before what uses it", () => {
    const from = source();
    const own = newState({
        urn: urn("own", { parent: SHOP, type: "pulumi:providers:t" }),
        type: "pulumi:providers:t",
        custom: true,
        id: "2",
        parent: SHOP,
    });
    from.resources.splice(3, 0, own);
    from.resources[4]!.provider = `${own.urn}::2`;
    const into = snapshot();
    moveResources(from, into, TARGET, [SHOP], false);
    expect(names(from)).not.toContain(own.urn);
    expect(names(into)).toContain(own.urn.replace("dev", "blue"));
    expect([integrityError(from.resources), integrityError(into.resources)]).toEqual([undefined, undefined]);
});

test.each<[what: string, id: string, inputs: Record<string, string>, expected: string]>([
    ["the same provider, copied by an earlier move, is used", "1", {}, "1"],
    ["a provider of the other stack with equal inputs is used", "2", {}, "2"],
])("%s", (_, id, inputs, expected) => {
    const into = snapshot(provider("blue", id, inputs));
    moveResources(source(), into, TARGET, [SHOP], false);
    expect(into.resources.at(-1)?.provider).toBe(`${PROVIDER.replace("dev", "blue")}::${expected}`);
    expect(integrityError(into.resources)).toBe(undefined);
});

test("references between what goes and what stays are dropped and named", () => {
    const child = urn("child", { parent: SHOP });
    const from = source({ dependencies: [child], propertyDependencies: { a: [child], b: [] }, deletedWith: child });
    const { brokenInSource } = moveResources(from, snapshot(), TARGET, [SHOP], false);
    expect(brokenInSource.map(({ to }) => to.kind)).toEqual(["dependency", "property", "deletedWith"]);
    expect(from.resources.at(-1)).toMatchObject({ dependencies: [], propertyDependencies: {}, deletedWith: "" });

    const into = snapshot();
    const other = moveResources(source({ dependencies: [child] }), into, TARGET, [urn("beside")], false);
    expect(other.brokenInTarget).toEqual([{ from: urn("beside"), to: { kind: "dependency", urn: child } }]);
    expect(integrityError(into.resources)).toBe(undefined);
});

test("parents go too on request, the stack's own resource never", () => {
    const [from, into] = [source(), snapshot()];
    moveResources(from, into, TARGET, [urn("child", { parent: SHOP })], true);
    expect(names(from)).toEqual([rootStackUrn("dev", "p"), PROVIDER, urn("beside")]);
    expect(names(into)).toContain(SHOP.replace("dev", "blue"));
});

test.each<[what: string, into: Snapshot, urns: string[], message: string]>([
    ["a provider", snapshot(), [PROVIDER], "cannot move providers"],
    ["nothing", snapshot(), [urn("unknown")], "no resources found to move"],
    ["a provider that is another there", snapshot(provider("blue", "2", { region: "x" })), [SHOP], "already exists"],
    [
        "a resource that is there",
        snapshot(provider("blue", "1"), resource("x", { urn: urn("beside", { stack: "blue" }), provider: "" })),
        [urn("beside")],
        "already exists",
    ],
])("%s is refused", (_, into, urns, message) => {
    expect(() => moveResources(source(), into, TARGET, urns, false)).toThrow(message);
});

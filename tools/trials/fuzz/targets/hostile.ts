/** Hostile input: bindings of other Services, links out of a folder, unbounded values. */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as fc from "fast-check";
import { endpointOf } from "../../../../provider/cloud";
import { listManifests, readManifest, readManifests } from "../../../../provider/service/manifests";
import { isOwnershipKey } from "../../../../provider/schema/names";
import { type BindingObject, readOwnSpec } from "../../../../provider/sync/binding/object";
import { Simulation } from "../../../../test/support/simulation";
import { endpoint, MARK, NLB_MARK, node, slice, spec } from "../../../../test/support/sync-world";
import { strangersService } from "../../walk/sync/strangers";
import { target } from "../target";
import { damaged, oddText } from "../values";

const OPERATOR = { clusterId: "c1", userManagedGroups: ["shop/rsp-9"] };

/** A binding of namespace evil, with parts of another Service's in it. */
const binding: fc.Arbitrary<unknown> = fc
    .record({
        region: fc.constantFrom("cn-hangzhou", "CN-HANGZHOU", "cn-hangzhou ", "x.example:443/", "cn-hangzhou@x"),
        ownershipMark: fc.oneof(
            fc.constantFrom(
                MARK,
                NLB_MARK,
                "k8s/30666/mine/evil/c1",
                "k8s/1/mine/evil/c2",
                "k8s/30666/mine/evil/c1/../web/shop/c1",
                "k8s.30666.TCP.mine.evil.c1",
                "by hand",
            ),
            oddText,
        ),
        serviceName: fc.constantFrom("mine", "web", "mine/evil/c1", "", "../shop/web"),
        serverGroup: fc.record({
            id: fc.constantFrom("rsp-1", "RSP-1", "rsp-9", "rsp-1 "),
            type: fc.constantFrom("VServer", "Instance", "Ip"),
            userManaged: fc.constantFrom(undefined, true, false),
            anyPort: fc.constantFrom(undefined, true),
        }),
        nodePort: fc.constantFrom(30666, 30080, 0),
        backendType: fc.constantFrom("ecs", "eni"),
        allowEmpty: fc.boolean(),
        weightShare: fc.constantFrom(undefined, 100),
    })
    .chain((fields) => {
        const whole = {
            metadata: { name: "mine", namespace: "evil", uid: "u", creationTimestamp: "2020-01-01T00:00:00Z" },
            spec: { ...spec(), ...fields },
        };
        return fc.oneof(
            { weight: 4, arbitrary: fc.constant<unknown>(whole) },
            damaged(whole.spec).map((of) => ({ ...whole, spec: of })),
        );
    });

/** Service shop/web in its group, and Service evil/mine, of which the bindings are. */
async function attacked(hostile: BindingObject): Promise<void> {
    const sim = new Simulation();
    sim.userManagedGroups.push(...OPERATOR.userManagedGroups);
    sim.cluster(spec(), [node("a"), node("b")], slice(endpoint("10.0.0.1", "a")));
    await sim.settle();
    const strangers = strangersService("b");
    sim.put("service", strangers.service);
    sim.put("slice", strangers.slice);
    const before = sim.servers;
    sim.calls.length = 0;
    sim.put("binding", hostile);
    await sim.settle();
    assert.deepEqual(sim.servers, before, "a binding of another namespace has changed the group");
    assert.deepEqual(
        sim.calls.filter((call) => call !== "name" && call !== "describe"),
        [],
    );
    sim.put("slice", slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b")));
    await sim.settle();
    assert.deepEqual(sim.weights(), { "i-a": 1, "i-b": 1 }, "the Service's own binding does not go on");
}

const GOOD_BINDING = {
    metadata: { name: "mine", namespace: "evil" },
    spec: spec({ serviceName: "mine", ownershipMark: "k8s/1/mine/evil/c1" }),
};

/** Names of files, and targets of links. */
const NAMES = ["a", "b", "a/x.yaml", "a/c", "b/y.json", "x.yaml", "..data", "..2024/x.yaml"] as const;
const GOALS = [
    ".",
    "..",
    "a",
    "../a",
    "x.yaml",
    "../x.yaml",
    "a/c",
    "..2024",
    "..data/x.yaml",
    "/proc/self/environ",
    "../../outside.yaml",
    "../outside.yaml",
    "/",
    "nowhere",
] as const;

const links = fc.array(
    fc.record({ at: fc.constantFrom(...NAMES), to: fc.option(fc.constantFrom(...GOALS), { nil: undefined, freq: 4 }) }),
    { maxLength: 8 },
);

/** Reads a folder with these files and links, which is new for each input. */
function readLinks(entries: readonly { readonly at: string; readonly to: string | undefined }[]): void {
    const base = fs.mkdtempSync(path.join(os.tmpdir(), "ack-fuzz-"));
    try {
        const folder = path.join(base, "manifests");
        fs.mkdirSync(folder);
        fs.writeFileSync(path.join(base, "outside.yaml"), "outside");
        for (const { at, to } of entries) {
            const file = path.join(folder, at);
            try {
                fs.mkdirSync(path.dirname(file), { recursive: true });
                if (to === undefined) fs.writeFileSync(file, "inside");
                else fs.symlinkSync(to, file);
            } catch {
                // Something is there already, or a link leads nowhere.
            }
        }
        const files = listManifests(folder) ?? [];
        const real = files.flatMap((file) => {
            try {
                assert.equal(readManifest(file, folder), "inside");
                return [fs.realpathSync(file)];
            } catch (error) {
                if (error instanceof assert.AssertionError) throw error;
                return [];
            }
        });
        assert.equal(new Set(real).size, real.length, "a file is listed twice");
    } finally {
        fs.rmSync(base, { recursive: true, force: true });
    }
}

/** YAML whose aliases may stand inside of what they name. */
const selves: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom("1", "*a", "*b", "x", "{<<: *a}"),
        fc
            .tuple(fc.constantFrom("", "&a ", "&b "), fc.array(tie("node"), { maxLength: 3 }))
            .map(([anchor, items]) => `${anchor}[${items.join(", ")}]`),
        fc
            .tuple(
                fc.constantFrom("", "&a ", "&b "),
                fc.array(tie("node"), { maxLength: 3 }),
                fc.constantFrom("k", "items", "<<", "? *a "),
            )
            .map(
                ([anchor, items, key]) =>
                    `${anchor}{${items
                        .map((item, index) => `${key === "k" ? `k${index}` : key} : ${item}`)
                        .slice(0, key === "k" ? 3 : 1)
                        .join(", ")}}`,
            ),
    ),
})).node;

const selfManifest = fc
    .tuple(fc.constantFrom("", "&a ", "&b "), fc.constantFrom("Service", "List"), selves, selves, selves)
    .map(
        ([anchor, kind, annotations, inner, items]) =>
            `${anchor}{apiVersion: v1, kind: ${kind}, metadata: {name: web, annotations: ${annotations}}, spec: ` +
            `{type: LoadBalancer, selector: ${inner}, ports: [{port: 80}]}, items: ${items}}`,
    );

export const HOSTILE = [
    target({
        name: "bindings of strangers",
        good: GOOD_BINDING,
        inputs: binding,
        take: async (object) => {
            const hostile = object as BindingObject;
            const { spec: read } = readOwnSpec(hostile, OPERATOR);
            if (read !== undefined) {
                assert.match(endpointOf("nlb", read.region, { env: {} }), /^nlb\.[a-z0-9-]+\.aliyuncs\.com$/);
                assert.ok(isOwnershipKey(read.ownershipMark) && read.ownershipMark.includes("mine"));
            }
            await attacked(hostile);
        },
    }),
    target({
        name: "links in folders",
        good: [
            { at: "a/x.yaml", to: undefined },
            { at: "x.yaml", to: "a/x.yaml" },
        ],
        inputs: links,
        take: readLinks,
    }),
    target({
        name: "YAML that refers to itself",
        good: "{apiVersion: v1, kind: Service, metadata: {name: web, annotations: &a {}}, spec: {selector: *a}}",
        inputs: selfManifest,
        take: (text) => {
            for (const { object } of readManifests(text, "self.yaml").services) JSON.stringify(object);
        },
    }),
];

import { expect, test } from "@jest/globals";
import { ownershipPatch } from "./fields";

const CREATED = { manager: "pulumi-kubernetes", operation: "Update", fieldsV1: { "f:spec": {} } };
const STATUS = { manager: "ack-loadbalancer", operation: "Update", subresource: "status", fieldsV1: {} };

const outputs = (managedFields: readonly object[], more: object = { __fieldManager: "pulumi-kubernetes-1a2b" }) => ({
    ...more,
    metadata: { namespace: "shop", name: "web", resourceVersion: "7", managedFields },
});

test("the fields of the creation go to the name under which the plugin updates; all others stay", () => {
    expect(ownershipPatch(outputs([CREATED, STATUS]))).toStrictEqual({
        namespace: "shop",
        name: "web",
        patch: {
            metadata: {
                resourceVersion: "7",
                managedFields: [{ ...CREATED, manager: "pulumi-kubernetes-1a2b", operation: "Apply" }, STATUS],
            },
        },
    });
});

const NOTHING: readonly [what: string, outputs: unknown][] = [
    ["an object that was applied from the start", outputs([{ ...CREATED, operation: "Apply" }])],
    ["one that was applied since", outputs([CREATED, { manager: "kubectl", operation: "Apply" }])],
    ["one that another tool has created", outputs([{ ...CREATED, manager: "kubectl" }])],
    ["a plugin that does not name its manager", outputs([CREATED], {})],
    ["outputs of another form", { metadata: { managedFields: "x" } }],
    ["no outputs", undefined],
];

for (const [what, given] of NOTHING)
    test(`nothing is handed over: ${what}`, () => {
        expect(ownershipPatch(given)).toBeUndefined();
    });

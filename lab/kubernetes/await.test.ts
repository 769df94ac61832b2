import { expect, test } from "@jest/globals";
import { ApiError } from "./api";
import { awaitGone, awaitsDeletion, type WaitContext } from "./await";

const type = { apiVersion: "ack-loadbalancer.io/v1alpha1", kind: "ServerGroupBinding" };
const object = { ...type, metadata: { name: "web", namespace: "default", uid: "1" } };

const refused = (code: number): Promise<never> => Promise.reject(new ApiError(code, "", "refused"));

/** A cluster without the object, which answers a list as given. */
const context = (list: () => Promise<never[]>): WaitContext => ({
    type,
    timeout: 1,
    report: async () => undefined,
    cancelled: () => false,
    cluster: { list, get: () => refused(404) } as unknown as WaitContext["cluster"],
});

test("an object is gone, too, where its kind has gone with it", async () => {
    await expect(
        awaitGone(
            object,
            context(async () => []),
        ),
    ).resolves.toBeUndefined();
    await expect(
        awaitGone(
            object,
            context(() => refused(404)),
        ),
    ).resolves.toBeUndefined();
});

test("without the right to list the kind the wait fails", async () => {
    await expect(
        awaitGone(
            object,
            context(() => refused(403)),
        ),
    ).rejects.toThrow("refused");
});

test.each([
    ["v1", "Service", "false", true],
    ["v1", "Service", "true", true],
    ["ack-loadbalancer.io/v1alpha1", "ServerGroupBinding", "true", true],
    ["apps/v1", "Deployment", "false", true],
    ["apps/v1", "Deployment", "true", false],
    ["example.com/v1", "Deployment", "true", true],
    ["v1", "Namespace", "true", false],
    ["batch/v1", "Job", "true", false],
])("the deletion of %s %s with skipAwait %s is awaited: %s", (apiVersion, kind, skip, expected) => {
    const inputs = { metadata: { annotations: { "pulumi.com/skipAwait": skip } } };
    expect(awaitsDeletion(inputs, { apiVersion, kind })).toBe(expected);
});

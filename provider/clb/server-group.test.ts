/** Requirements: D34. */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Backend } from "../schema/backend";
import { HttpFailure } from "../net";
import { batches } from "../cloud/http/page";
import { refusal, scriptedCloud } from "../../test/support/cloud-client";
import {
    addBackends,
    BACKENDS_PER_CALL,
    describeServerGroup,
    describeServerGroups,
    isSameMember,
    removeBackends,
    setBackends,
} from "./server-group";

const nodes = (count: number): Backend[] =>
    Array.from({ length: count }, (_, index) => ({
        address: `i-${index}`,
        port: 30080,
        weight: 100,
        mark: "k8s/80/web/default/c1",
    }));

test("batches keep every item in its place and none is longer than its limit or empty", () => {
    fc.assert(
        fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 50 }), (items, size) => {
            const pieces = batches(items, size);
            expect(pieces.flat()).toStrictEqual(items);
            expect(pieces.every((piece) => piece.length > 0 && piece.length <= size)).toBeTruthy();
            expect(pieces.length).toBe(Math.ceil(items.length / size));
        }),
    );
});

test("members are added 20 a call, in order, and all of them", async () => {
    await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 95 }), async (count) => {
            const { cloud, asked, clock } = scriptedCloud(() => ({ body: {} }));
            await clock.run(addBackends(cloud, "rsp-1", nodes(count)));
            const sent = asked.map(
                ({ params }) => JSON.parse(params["BackendServers"] ?? "") as { ServerId: string }[],
            );
            expect(sent.every((batch) => batch.length >= 1 && batch.length <= BACKENDS_PER_CALL)).toBeTruthy();
            expect(sent.flat().map(({ ServerId }) => ServerId)).toStrictEqual(
                nodes(count).map(({ address }) => address),
            );
        }),
        { numRuns: 25 },
    );
});

test("the payload has the names of the API reference, and only what is set", async () => {
    const { cloud, asked, clock } = scriptedCloud(() => ({ body: {} }));
    await clock.run(
        addBackends(cloud, "rsp-1", [
            { address: "10.0.0.7", eni: "eni-1", port: 8080, weight: 0, mark: "k8s/80/web/default/c1" },
            { address: "i-1", port: 30080, weight: 100 },
        ]),
    );
    await clock.run(removeBackends(cloud, "rsp-1", [{ address: "10.0.0.7", eni: "eni-1", port: 8080 }]));
    await clock.run(setBackends(cloud, "rsp-1", [{ address: "i-1", port: 30080, weight: 5, mark: "d" }]));
    expect(
        asked.map(({ action, params }) => [action, params["VServerGroupId"], params["BackendServers"]]),
    ).toStrictEqual([
        [
            "AddVServerGroupBackendServers",
            "rsp-1",
            '[{"ServerId":"eni-1","ServerIp":"10.0.0.7","Port":"8080","Type":"eni","Weight":"0",' +
                '"Description":"k8s/80/web/default/c1"},{"ServerId":"i-1","Port":"30080","Type":"ecs","Weight":"100"}]',
        ],
        [
            "RemoveVServerGroupBackendServers",
            "rsp-1",
            '[{"ServerId":"eni-1","ServerIp":"10.0.0.7","Port":"8080","Type":"eni"}]',
        ],
        [
            "SetVServerGroupAttribute",
            "rsp-1",
            '[{"ServerId":"i-1","Port":"30080","Type":"ecs","Weight":"5","Description":"d"}]',
        ],
    ]);
});

test("when an answer to an add is lost, the group is read and only what is missing is added", async () => {
    const members = new Map<string, Record<string, unknown>>();
    let lost = false;
    const { cloud, asked, clock } = scriptedCloud(({ action, params }) => {
        if (action === "DescribeVServerGroupAttribute")
            return { body: { VServerGroupId: "rsp-1", BackendServers: { BackendServer: [...members.values()] } } };
        const servers = JSON.parse(params["BackendServers"] ?? "[]") as Record<string, string>[];
        // The cloud got as far as three members before the connection broke.
        for (const server of lost ? servers : servers.slice(0, 3)) {
            if (members.has(server["ServerId"] ?? "")) return refusal("BackendServer.Duplicated");
            members.set(server["ServerId"] ?? "", { ...server, Port: Number(server["Port"]) });
        }
        if (lost) return { body: {} };
        lost = true;
        return new HttpFailure("ECONNRESET", "socket hang up", true);
    });
    await clock.run(addBackends(cloud, "rsp-1", nodes(8)));
    expect(asked.map(({ action }) => action)).toStrictEqual([
        "AddVServerGroupBackendServers",
        "DescribeVServerGroupAttribute",
        "AddVServerGroupBackendServers",
    ]);
    expect(members.size).toBe(8);
});

test("a group is read with all its members; a missing group is undefined, other failures throw", async () => {
    const found = scriptedCloud(() => ({
        body: {
            VServerGroupId: "rsp-1",
            VServerGroupName: "k8s/80/web/default/c1",
            LoadBalancerId: "lb-1",
            BackendServers: {
                BackendServer: [
                    { ServerId: "eni-1", ServerIp: "10.0.0.7", Port: 8080, Weight: "7", Type: "eni", Description: "d" },
                    { ServerId: "i-1", ServerIp: "192.168.0.1", Port: "80", Weight: 0 },
                ],
            },
        },
    }));
    expect(await found.clock.run(describeServerGroup(found.cloud, "rsp-1"))).toStrictEqual({
        id: "rsp-1",
        name: "k8s/80/web/default/c1",
        loadBalancerId: "lb-1",
        backends: [
            { address: "10.0.0.7", eni: "eni-1", port: 8080, weight: 7, mark: "d" },
            { address: "i-1", port: 80, weight: 0 },
        ],
    });
    const gone = scriptedCloud(() => refusal("InvalidParameter", "The specified VServerGroupId does not exist."));
    expect(await gone.clock.run(describeServerGroup(gone.cloud, "rsp-1"))).toBeUndefined();
    for (const code of [
        "InvalidParameter",
        "InvalidRegionId.NotFound",
        "Forbidden.RAM",
        "InvalidAccessKeyId.NotFound",
    ]) {
        const other = scriptedCloud(() => refusal(code, "The specified value does not exist in our records."));
        await expect(other.clock.run(describeServerGroup(other.cloud, "rsp-1"))).rejects.toThrow(new RegExp(code));
    }
});

test("the groups of a load balancer", async () => {
    const { cloud, clock } = scriptedCloud(() => ({
        body: {
            VServerGroups: {
                VServerGroup: [{ VServerGroupId: "rsp-1", VServerGroupName: "a" }, { VServerGroupId: "rsp-2" }],
            },
        },
    }));
    expect(await clock.run(describeServerGroups(cloud, "lb-1"))).toStrictEqual([
        { id: "rsp-1", name: "a" },
        { id: "rsp-2", name: "" },
    ]);
});

test("a member is an ECS instance and a port, or an interface, an address and a port", () => {
    const instance = { address: "i-1", port: 80 } as const;
    expect(isSameMember({ ...instance }, instance)).toBe(true);
    expect(isSameMember(instance, { ...instance, port: 81 })).toBe(false);
    const pod = { address: "10.0.0.1", eni: "eni-1", port: 80 } as const;
    expect(isSameMember(pod, { ...pod })).toBe(true);
    expect(isSameMember(pod, { ...pod, address: "10.0.0.2" })).toBe(false);
    expect(isSameMember(pod, { ...pod, eni: "eni-2" })).toBe(false);
});

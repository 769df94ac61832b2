import { expect, test } from "@jest/globals";
import { compareIdentity, describeMove, otherClusterId, otherRegion, type StackIdentity } from "./identity";

const A: StackIdentity = { cluster: "uid-a", server: "https://a:6443", region: "cn-hangzhou", account: "1", key: "k1" };

test("the same cluster, account and region are accepted, and a new server or key is recorded", () => {
    const now = { ...A, server: "https://a.internal:6443", key: "k2" };
    expect(compareIdentity(A, now)).toStrictEqual({ refused: [], identity: now });
});

test("what the run cannot say stays as it is remembered", () => {
    expect(compareIdentity(A, { region: "cn-hangzhou" })).toStrictEqual({ refused: [], identity: A });
});

test("the first run remembers and refuses nothing", () => {
    expect(compareIdentity({}, A)).toStrictEqual({ refused: [], identity: A });
});

const OTHERS: [Partial<StackIdentity>, RegExp][] = [
    [
        { cluster: "uid-b", server: "https://b:6443" },
        /belongs to the cluster uid-a \(https:\/\/a:6443\), but this run reaches uid-b \(https:\/\/b:6443\)\. Remedy: .*allowReplacement: \["identity"\]/,
    ],
    [
        { account: "2" },
        /account 1, but the credentials of this run are those of 2\. Remedy: .*allowReplacement: \["identity"\]/,
    ],
    [
        { region: "cn-beijing" },
        /region cn-hangzhou, but this run is for cn-beijing\. Remedy: .*allowReplacement: \["identity"\]/,
    ],
];

for (const [other, message] of OTHERS) {
    test(`another ${Object.keys(other)[0]} is refused with both names, unless it is allowed`, () => {
        const now = { ...A, ...other };
        const { refused } = compareIdentity(A, now);
        expect(refused).toHaveLength(1);
        expect(refused[0]).toMatch(message);
        const moved = compareIdentity(A, now, true);
        expect(moved).toStrictEqual({ refused: [], movedFrom: A, identity: now });
        expect(describeMove(A, now)).toMatch(/^it moves from the /);
    });
}

test("a cluster that hides its identity may be another one", () => {
    const { refused } = compareIdentity(A, { server: "https://b:6443" });
    expect(refused[0]).toMatch(
        /https:\/\/b:6443, which does not let this user read the namespace kube-system\. Remedy: allow this user/,
    );
    expect(compareIdentity(A, { server: "https://b:6443" }, true).refused).toStrictEqual(refused);
    expect(compareIdentity({}, { server: "https://b:6443" }).refused).toStrictEqual([]);
});

test("the clusterId of a program must be one that the nodes name, if they name any", () => {
    expect(otherClusterId("c1", [])).toBeUndefined();
    expect(otherClusterId("c1", ["c2", "c1"])).toBeUndefined();
    expect(otherClusterId("c1", ["c2"])).toBe(
        'its Cluster has the clusterId "c1", but the nodes that this run reaches are those of the ACK ' +
            'cluster c2. Remedy: write clusterId "c2", or correct kubeconfig or context.',
    );
});

test("a load balancer is in a region where nodes stand, where they name any", () => {
    expect(otherRegion("cn-shanghai", [])).toBeUndefined();
    expect(otherRegion(undefined, ["cn-hangzhou"])).toBeUndefined();
    expect(otherRegion("cn-hangzhou", ["cn-hangzhou"])).toBeUndefined();
    expect(otherRegion("cn-shanghai", ["cn-hangzhou"])).toBe(
        "its load balancer is to be in the region cn-shanghai, but the nodes that this run reaches " +
            "stand in cn-hangzhou. Remedy: set account.region, or alicloud:region, to cn-hangzhou, or " +
            "correct kubeconfig or context.",
    );
});

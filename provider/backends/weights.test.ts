/** Requirements: A60, D15, D16, D17, D18, D19, I46, I47, I48, I49, X08, X13. */
import { expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { localWeights, shareOf } from "./weights";

const podsByNode = (...pods: number[]) => new Map(pods.map((count, index) => [`node-${index + 1}`, count]));
const weightsOf = (pods: number[], compatibility?: string) => [
    ...localWeights(podsByNode(...pods), compatibility).weights.values(),
];

const GENERATIONS: readonly [string | undefined, readonly number[], readonly number[]][] = [
    // The documents' own example: 1, 2 and 3 pods on three nodes.
    ["v1.9.3.163-gabc-aliyun", [1, 2, 3], [100, 100, 100]],
    ["v1.9.3.164-g2105d2e-aliyun", [1, 2, 3], [16, 33, 50]],
    ["v1.9.3.275-gabc-aliyun", [1, 2, 3], [16, 33, 50]],
    ["v1.9.3.276-g372aa98-aliyun", [1, 2, 3], [1, 2, 3]],
    ["v2.13.0", [1, 2, 3], [1, 2, 3]],
    [undefined, [1, 2, 3], [1, 2, 3]],
    // Per cent never rounds a node with a pod down to nothing.
    ["v1.9.3.200-gabc-aliyun", [1, 299], [1, 99]],
    // Pod counts above the cloud's limit keep their proportion.
    [undefined, [150, 300], [50, 100]],
    [undefined, [1, 400], [1, 100]],
    [undefined, [], []],
];

const listed = (numbers: readonly number[], none = "nothing"): string => numbers.join(", ") || none;

for (const [compatibility, pods, expected] of GENERATIONS) {
    test(`CCM ${compatibility ?? "newest"}: ${listed(pods, "no")} pods weigh ${listed(expected)}`, () => {
        expect(weightsOf([...pods], compatibility)).toStrictEqual(expected);
    });
}

const SHARES: readonly [number, readonly number[], readonly number[]][] = [
    [60, [100, 100, 100], [20, 20, 20]],
    [100, [1, 2, 3], [16, 33, 50]],
    [1, [1, 1, 1], [1, 1, 1]],
    [0, [1, 2, 3], [0, 0, 0]],
    [50, [], []],
    // As a default-weight of 0 gives them.
    [50, [0, 0], [25, 25]],
    [0, [0], [0]],
];

for (const [weight, own, expected] of SHARES) {
    test(`a share of ${weight} among backends that weigh ${listed(own)}: ${listed(expected)}`, () => {
        const backends = Object.fromEntries(own.map((each, index) => [`i-${index}`, { weight: each }]));
        expect(Object.values(shareOf(weight, backends)).map((backend) => backend.weight)).toStrictEqual(expected);
    });
}

test("weights are from 1 to 100, ordered as the pod counts, and equal to the counts if they fit", () => {
    fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 40 }), (pods) => {
            const weights = weightsOf(pods);
            expect(weights.every((weight) => Number.isInteger(weight) && weight >= 1 && weight <= 100)).toBeTruthy();
            pods.forEach((count, i) =>
                pods.forEach((other, j) =>
                    expect(count > other || (weights[i] ?? 0) <= (weights[j] ?? 0)).toBeTruthy(),
                ),
            );
            if (Math.max(...pods) <= 100) {
                expect(weights).toStrictEqual(pods);
            }
        }),
    );
});

test("the error that scaling causes is reported, and is the largest deviation of a node's share", () => {
    expect(localWeights(podsByNode(1, 2, 3)).error).toBe(0);
    const { error } = localWeights(podsByNode(1, 400));
    expect(Math.abs(error - (1 / 101 - 1 / 401))).toBeLessThan(1e-12);
});

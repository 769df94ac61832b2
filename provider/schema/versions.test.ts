/** Requirements: A66, I05. */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { compareVersions, isAtLeast, parseCcmVersion, parseKubernetesVersion } from "./versions";

const oldestFirst = [
    ["v1.9.3", "V1.9.3", "1.9.3.0"],
    ["v1.9.3.10-gfb99107-aliyun", "V1.9.3.10"],
    ["v1.9.3.81-gca19cd4-aliyun"],
    ["v1.9.3.105-gfd4e547-aliyun"],
    ["v1.9.3.313-g748f81e-aliyun"],
    ["v2.0.1"],
    ["v2.5.0", "v2.5.0-rc.1"],
    ["v2.10.0"],
    ["v2.13.0"],
];

test("versions are ordered by their numbers", () => {
    oldestFirst.forEach((group, index) => {
        oldestFirst.forEach((others, other) => {
            for (const a of group)
                for (const b of others)
                    expect([`${a} ${b}`, Math.sign(compareVersions(a, b))]).toStrictEqual([
                        `${a} ${b}`,
                        Math.sign(index - other),
                    ]);
        });
    });
    expect(isAtLeast("v2.5.0", "v2.5.0")).toBe(true);
    expect(isAtLeast("v2.4.9", "v2.5.0")).toBe(false);
});

const version = fc
    .tuple(
        fc.constantFrom("v", "V", ""),
        fc.array(fc.nat({ max: 400 }), { minLength: 3, maxLength: 4 }),
        fc.constantFrom("", "-gca19cd4-aliyun", "-rc.1"),
    )
    .map(([v, numbers, suffix]) => v + numbers.join(".") + suffix);

test("the order is total", () => {
    fc.assert(
        fc.property(version, version, version, (a, b, c) => {
            expect(compareVersions(a, a)).toBe(0);
            expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0);
            if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
                expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
            if (compareVersions(a, b) === 0) expect(parseCcmVersion(a)).toStrictEqual(parseCcmVersion(b));
        }),
    );
});

test("other texts are no versions", () => {
    for (const text of ["", "2", "v2.5", "2.5.x", "latest", "v2.5.0.1.1", "v2.5.0 ", "v-1.0.0", "v2.5.0 aliyun"]) {
        expect([text, parseCcmVersion(text)]).toStrictEqual([text, undefined]);
        expect(() => compareVersions(text, "v2.5.0")).toThrow(RangeError);
    }
});

test("Kubernetes versions", () => {
    const cases: readonly [string, readonly [number, number] | undefined][] = [
        ["v1.24.3", [1, 24]],
        ["1.24+", [1, 24]],
        ["v1.30.7-aliyun.1", [1, 30]],
        ["1", undefined],
        ["stable", undefined],
    ];
    for (const [text, expected] of cases) expect([text, parseKubernetesVersion(text)]).toStrictEqual([text, expected]);
});

import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type AdoptionDifference, formatDifferences, formatRefusal, isRefused } from "./adoption";
import { diffBackendMaps } from "../backends/diff";

const backends = fc.dictionary(
    fc.constantFrom("i-a", "i-b", "10.0.0.1:80"),
    fc.record({ weight: fc.integer({ min: 0, max: 100 }) }),
);

test("compare: members that are the same differ in nothing, others in one line each", () => {
    fc.assert(
        fc.property(backends, backends, fc.boolean(), (desired, actual, ignoreWeights) => {
            expect(diffBackendMaps(desired, desired, false)).toStrictEqual([]);
            const differing = [...new Set([...Object.keys(desired), ...Object.keys(actual)])].filter((key) => {
                const [after, before] = [desired[key], actual[key]];
                return (
                    after === undefined || before === undefined || (!ignoreWeights && after.weight !== before.weight)
                );
            });
            expect(diffBackendMaps(desired, actual, ignoreWeights).map(({ attribute }) => attribute)).toStrictEqual(
                differing.map((key) => `backend ${key}`).sort(),
            );
        }),
    );
});

const row = (verdict: AdoptionDifference["verdict"]): AdoptionDifference => ({
    verdict,
    object: "listener tcp:80",
    attribute: verdict,
    observed: "a",
    desired: "b",
});

test("refused is what cannot be taken over, and what differs unless that is allowed", () => {
    const answers = (["refused", "differs", "note"] as const).map((verdict) => [
        isRefused([row(verdict)], false),
        isRefused([row(verdict)], true),
    ]);
    expect(answers).toStrictEqual([
        [true, true],
        [true, false],
        [false, false],
    ]);
});

test("the tables stand with the gravest first, in columns", () => {
    expect(formatDifferences([row("note"), { ...row("differs"), object: "load balancer" }, row("refused")])).toBe(
        [
            "cannot be taken over like this:",
            "    object           setting  cloud  Service",
            "    listener tcp:80  refused  a      b",
            "not as the Service says:",
            "    object         setting  cloud  Service",
            "    load balancer  differs  a      b",
            "worth knowing:",
            "    object           setting  cloud  Service",
            "    listener tcp:80  note     a      b",
        ].join("\n"),
    );
});

test("the refusal says what to do about just what is there", () => {
    const differs = formatRefusal("default/web", "lb-1", [row("differs")]);
    expect(differs).toMatch(
        /^Service default\/web cannot take over load balancer lb-1 as it stands; nothing was changed\.\n.*Remedy: state in the Service's annotations.*allowChanges/s,
    );
    const refused = formatRefusal("default/web", "lb-1", [row("refused")]);
    expect(refused).toMatch(/Remedy: make both sides agree/);
    expect(refused).not.toMatch(/allowChanges/);
});

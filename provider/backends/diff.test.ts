/** Requirements: A61, D24, I50. */
import { expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { type Backend, toList, toMap } from "../schema/backend";
import { diffBackends, isEmpty } from "./diff";

const members = (backends: Record<string, number>, port = 30080): Backend[] =>
    toList({
        port,
        backends: Object.fromEntries(Object.entries(backends).map(([key, weight]) => [key, { weight }])),
    });
const names = (list: readonly Backend[]) => list.map(({ address, port, weight }) => `${address}:${port}=${weight}`);

test("adds what is new, weighs what stays, removes what is gone", () => {
    const plan = diffBackends(members({ "i-a": 1, "i-b": 2, "i-c": 3 }), members({ "i-b": 5, "i-c": 3, "i-d": 1 }));
    expect({ add: names(plan.add), update: names(plan.update), remove: names(plan.remove) }).toStrictEqual({
        add: ["i-d:30080=1"],
        update: ["i-b:30080=5"],
        remove: ["i-a:30080=1"],
    });
});

test("a new nodePort adds each node on the new port and removes it from the old one", () => {
    const plan = diffBackends(members({ "i-a": 1 }, 30080), members({ "i-a": 1 }, 31080));
    expect([names(plan.add), names(plan.update), names(plan.remove)]).toStrictEqual([
        ["i-a:31080=1"],
        [],
        ["i-a:30080=1"],
    ]);
});

test("a member that was left on another port is found and removed", () => {
    const plan = diffBackends(members({ "i-a": 1, "i-a:30001": 1 }), members({ "i-a": 1 }));
    expect([names(plan.add), names(plan.remove)]).toStrictEqual([[], ["i-a:30001=1"]]);
});

test("pods are distinguished by address and port", () => {
    const plan = diffBackends(
        members({ "10.0.0.1:80": 100 }),
        members({ "10.0.0.1:81": 100, "[2001:db8::1]:80": 100 }),
    );
    expect([names(plan.add), names(plan.remove)]).toStrictEqual([
        ["10.0.0.1:81=100", "2001:db8::1:80=100"],
        ["10.0.0.1:80=100"],
    ]);
});

test("with weights ignored, members that stay are left alone and new ones still get theirs", () => {
    const plan = diffBackends(members({ "i-a": 7 }), members({ "i-a": 1, "i-b": 2 }), { ignoreWeights: true });
    expect([names(plan.add), names(plan.update)]).toStrictEqual([["i-b:30080=2"], []]);
});

test("a new ownership mark is written to every kept member, whose weight stays if ignored", () => {
    const plan = diffBackends(members({ "i-a": 7 }), members({ "i-a": 1 }), { ignoreWeights: true, remark: true });
    expect(names(plan.update)).toStrictEqual(["i-a:30080=7"]);
});

test("an ECS backend without a nodePort is an error, and so is a key that names no backend", () => {
    expect(() => toList({ backends: { "i-a": { weight: 1 } } })).toThrow(/no nodePort/);
    expect(() => toList({ port: 1, backends: { "a b": { weight: 1 } } })).toThrow(/is not a backend/);
});

const backends = fc.dictionary(
    fc.oneof(
        fc.integer({ min: 0, max: 30 }).map((n) => `i-${n}`),
        fc
            .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3 }))
            .map(([host, port]) => `10.0.0.${host}:${port}`),
    ),
    fc.integer({ min: 0, max: 100 }).map((weight) => ({ weight })),
    { maxKeys: 25 },
);

test("carrying a plan out gives what is desired, and planning again gives nothing to do", () => {
    fc.assert(
        fc.property(backends, backends, (before, after) => {
            const current = toList({ port: 30080, backends: before });
            const desired = toList({ port: 30080, backends: after });
            const plan = diffBackends(current, desired);
            const left = current
                .filter((member) => !plan.remove.includes(member))
                .map(
                    (member) =>
                        plan.update.find(
                            (changed) => changed.port === member.port && changed.address === member.address,
                        ) ?? member,
                );
            const result = [...left, ...plan.add];
            expect(toMap(result, 30080)).toStrictEqual(toMap(desired, 30080));
            expect(isEmpty(diffBackends(result, desired))).toBe(true);
        }),
    );
});

/** Requirements: F14. */
import { expect, test } from "@jest/globals";
import { type ObservedService, otherStack, servingController } from "./controller";

const CASES: readonly [string, ObservedService, boolean, RegExp | undefined][] = [
    ["a Service without address", { addresses: [] }, false, undefined],
    ["one that this stack serves", { addresses: ["203.0.113.1"] }, true, undefined],
    [
        "one that another controller serves",
        { addresses: ["203.0.113.1"] },
        false,
        /its status has the address 203\.0\.113\.1/,
    ],
    [
        "CCM's finalizer",
        { addresses: [], finalizers: ["service.k8s.alibaba/resources"] },
        true,
        /finalizer service\.k8s\.alibaba\/resources.*Remedy: /,
    ],
    [
        "CCM's finalizer of an NLB",
        { addresses: [], finalizers: ["service.k8s.alibaba/nlb"] },
        false,
        /finalizer service\.k8s\.alibaba\/nlb/,
    ],
    [
        "CCM's labels",
        { addresses: [], labels: { "service.k8s.alibaba/loadbalancer-id": "lb-1" } },
        true,
        /label service\.k8s\.alibaba\/loadbalancer-id=lb-1/,
    ],
    [
        "other finalizers and labels",
        { addresses: [], finalizers: ["foregroundDeletion"], labels: { app: "web" } },
        false,
        undefined,
    ],
];

for (const [what, live, known, expected] of CASES) {
    test(`who serves: ${what}: ${expected === undefined ? "no other controller" : "refused"}`, () => {
        const text = servingController(live, known);
        expect(text === undefined).toBe(expected === undefined);
        expect(text ?? "").toMatch(expected ?? /^$/);
    });
}

test("a Service of another stack is refused with both names, leftovers of a stopped run are not", () => {
    const OWN = "shop/prod";
    expect(otherStack({ applying: undefined, serves: true }, OWN)).toBeUndefined();
    expect(otherStack({ applying: OWN, serves: false }, OWN)).toBeUndefined();
    expect(otherStack({ applying: OWN, serves: true, component: "web" }, OWN)).toMatch(
        /this stack \(shop\/prod\) applies the Service already, .*Remedy: name component, namespace and Service as before/,
    );
    expect(otherStack({ applying: OWN, serves: true }, OWN)).toMatch(
        /this stack \(shop\/prod\) applies the Service already, .*\. Remedy: if the state was lost, restore it, or/,
    );
    expect(otherStack({ applying: "web/prod", serves: false }, OWN)).toMatch(
        /the stack web\/prod applies this Service, and this stack is shop\/prod: .*Remedy: /,
    );
});

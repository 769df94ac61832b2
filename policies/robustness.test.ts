import { expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { component, contract, plain, resource, serviceObject } from "../test/support/policies/case";
import { configOf } from "./rule/config";
import { evaluateResource, evaluateStack } from "./rule/evaluate";
import { RULES } from "./rules";
import { isUnknownError, type PreviewResource, stackOf } from "./subjects";
import * as types from "../provider/schema/resource-types";

const value = fc.oneof(
    fc.constantFrom<unknown>(null, true, 0, -1, "", "on", "toString", [], {}, [null], [{}], { enabled: null }),
    fc.jsonValue({ maxDepth: 2 }),
);

/** Properties that rules read, with any value. */
const PROPERTIES = [
    ...["tags", "description", "name", "protocol", "listenerProtocol", "listenerPort", "frontendPort", "aclStatus"],
    ...["aclId", "aclIds", "securityPolicyId", "tlsCipherPolicy", "tlsVersions", "servers", "backends", "instanceIds"],
    ...["loadBalancerId", "serverGroupId", "deletionProtectionConfig", "entryLists", "established", "requested"],
    ...["disruptive", "disruptiveBefore", "reuse", "backendServers", "serverId", "service", "cluster", "serviceSpec"],
];

const properties = fc.dictionary(fc.constantFrom(...PROPERTIES), value);

/** Returns an object in which any value replaces one member, at any depth. */
function damaged(object: unknown, path: readonly number[], by: unknown): unknown {
    const [first, ...rest] = path;
    if (first === undefined || typeof object !== "object" || object === null) return by;
    const keys = Object.keys(object);
    const key = keys[first % Math.max(keys.length, 1)];
    if (key === undefined) return by;
    const member = damaged((object as Record<string, unknown>)[key], rest, by);
    return Array.isArray(object) ? Object.assign([...object], { [key]: member }) : { ...object, [key]: member };
}

const path = fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 4 });

const ANNOTATIONS = { id: "lb-1", "protocol-port": "http:80", "acl-status": "on", "acl-id": "acl-1" };

const subjects: fc.Arbitrary<PreviewResource> = fc.oneof(
    fc
        .record({ type: fc.constantFrom(...Object.values(types)), props: properties })
        .map(({ type, props }) => resource(type, props)),
    fc.tuple(path, value, path, value).map(([at, by, atBefore, byBefore]) => {
        const shown = plain({ annotations: ANNOTATIONS, finalizers: ["x"], labels: { a: "b" } });
        return { ...shown, props: damaged(shown.props, at, by), before: damaged(serviceObject(), atBefore, byBefore) };
    }),
    fc.tuple(path, value).map(([at, by]) => {
        const shown = component({ labels: { a: "b" } });
        return { ...shown, props: damaged(shown.props, at, by) };
    }),
    properties.map((props) => contract(props)),
);

/** Runs a rule, which may throw only because a value is not known yet. */
function run(rule: (typeof RULES)[number], shown: readonly PreviewResource[]): void {
    const about = { level: rule.level, config: configOf(rule, {}) };
    const attempt = (evaluate: () => unknown): void => {
        try {
            evaluate();
        } catch (error) {
            expect([`${rule.name}: ${(error as Error).stack}`, isUnknownError(error)]).toStrictEqual([
                `${rule.name}: ${(error as Error).stack}`,
                true,
            ]);
        }
    };
    if (rule.stack !== undefined) attempt(() => evaluateStack({ rule, ...about }, stackOf(shown)));
    else for (const one of shown) attempt(() => evaluateResource({ rule, ...about }, one));
}

test("no rule crashes on properties of unexpected shape", () => {
    fc.assert(
        fc.property(fc.array(subjects, { minLength: 1, maxLength: 3 }), (shown) =>
            RULES.forEach((rule) => run(rule, shown)),
        ),
        { numRuns: 200 },
    );
});

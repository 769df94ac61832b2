/** Rules, their settings, and saved previews. */
import * as fc from "fast-check";
import { component, contract, plain, resource } from "../../../../test/support/policies/case";
import { ConfigError, configOf, configureRules } from "../../../../policies/rule/config";
import { readDigest, readResources } from "../../../../cli/report/preview";
import { DiagnosticsError } from "../../../../provider/diagnostics";
import { stepsOf } from "../../../../cli/report/step";
import { evaluateResource, evaluateStack } from "../../../../policies/rule/evaluate";
import { RULES } from "../../../../policies/rules";
import { isUnknownError, type PreviewResource, stackOf } from "../../../../policies/subjects";
import * as types from "../../../../provider/schema/resource-types";
import { buildReport, removedServices } from "../../../../cli/report/build";
import { REPORT } from "../../../../cli/report/model";
import { target } from "../target";
import { damaged, damagedText, oddValue } from "../values";

/** Evaluates the rules as the pack and the command do. Only a value that is not known yet may end a rule. */
function evaluateAll(shown: readonly PreviewResource[]): void {
    for (const rule of RULES) {
        const about = { level: rule.level, config: configOf(rule, {}) };
        const attempt = (evaluate: () => unknown): void => {
            try {
                evaluate();
            } catch (error) {
                if (!isUnknownError(error)) throw error;
            }
        };
        if (rule.stack !== undefined) attempt(() => evaluateStack({ rule, ...about }, stackOf(shown)));
        else for (const one of shown) attempt(() => evaluateResource({ rule, ...about }, one));
    }
}

const GOOD: readonly PreviewResource[] = [
    component({ labels: { a: "b" } }),
    plain({ annotations: { id: "lb-1", "protocol-port": "http:80", "acl-status": "on", "acl-id": "acl-1" } }),
    contract({ requested: { addressType: "internet" }, established: { addressType: "intranet" } }),
    ...Object.values(types).map((type) => resource(type, { name: "web", listenerPort: 80, tags: { a: "b" } })),
];

const state = (inputs: unknown) => ({
    type: types.CLB_INSTANCE_TYPE,
    inputs,
    outputs: { id: "lb-1" },
    propertyDependencies: { name: null },
});

const PREVIEW = {
    config: {},
    steps: [
        {
            op: "update",
            urn: `urn:pulumi:dev::shop::${types.CLB_INSTANCE_TYPE}::web`,
            oldState: state({ name: "web" }),
            newState: state({ name: "shop", tags: { a: "b" } }),
        },
        { op: "delete", urn: "urn:pulumi:dev::shop::a:b:C::gone", oldState: state({}) },
        {
            op: "delete",
            urn: `urn:pulumi:dev::shop::${types.SERVICE_TYPE}::old`,
            oldState: {
                type: types.SERVICE_TYPE,
                inputs: { service: "shop/old", loadBalancerType: "clb", addressType: "internet" },
            },
        },
        {
            op: "create",
            urn: `urn:pulumi:dev::shop::${types.SERVICE_TYPE}$${types.BACKENDS_TYPE}::shop/old`,
            newState: {
                type: types.BACKENDS_TYPE,
                parent: `urn:pulumi:dev::shop::${types.SERVICE_TYPE}::old`,
                inputs: { groups: { "tcp-80": { backends: { "i-1": { weight: 1 } }, serverGroupId: "rsp-1" } } },
            },
        },
    ],
};

const refusedPreview = (error: unknown): boolean => error instanceof DiagnosticsError;

const take = (text: string): void => evaluateAll(readResources(readDigest(text)).map(({ inputs }) => inputs));

const report = (text: string): void => {
    const digest = readDigest(text);
    REPORT.parse(buildReport({ steps: stepsOf(digest) }));
    removedServices(stepsOf(digest));
};

export const POLICIES = [
    target({
        name: "resources under rules",
        good: GOOD,
        inputs: fc.array(fc.constantFrom(...GOOD).chain(damagedResource), {
            minLength: 1,
            maxLength: 2,
        }),
        take: evaluateAll,
    }),
    target({
        name: "settings of rules",
        good: {},
        inputs: fc.oneof(
            oddValue,
            fc.dictionary(fc.constantFrom("all", ...RULES.map(({ name }) => name)), oddValue, { maxKeys: 4 }),
            fc.constantFrom(...RULES).chain(({ name }) =>
                damaged({
                    [name]: { enforcementLevel: "advisory", except: ["shop/web"], cluster: { clusterId: "c" } },
                }),
            ),
        ),
        take: (given) => void configureRules(RULES, given),
        expects: (error) => error instanceof ConfigError,
    }),
    target({
        name: "preview objects",
        good: JSON.stringify(PREVIEW),
        inputs: damaged(PREVIEW).map((preview) => JSON.stringify(preview)),
        take,
        expects: refusedPreview,
    }),
    target({
        name: "preview texts",
        good: JSON.stringify(PREVIEW),
        inputs: damagedText(JSON.stringify(PREVIEW)),
        take,
        expects: refusedPreview,
    }),
    target({
        name: "reports on previews",
        good: JSON.stringify(PREVIEW),
        inputs: damaged(PREVIEW).map((preview) => JSON.stringify(preview)),
        take: report,
        expects: refusedPreview,
    }),
];

function damagedResource(shown: PreviewResource): fc.Arbitrary<PreviewResource> {
    return fc
        .record({ props: damaged(shown.props), before: damaged(shown.before ?? shown.props) })
        .map((changed) => ({ ...shown, ...changed }));
}

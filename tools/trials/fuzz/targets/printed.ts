/** Texts of manifests as `check` prints them, and of others as errors quote them. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { checkInputs } from "../../../../cli/report/rules";
import { configureRules } from "../../../../policies/rule/config";
import { renderCheckJson, renderCompact, renderJunit, renderSarif } from "../../../../cli/check/formats";
import { renderCheckText } from "../../../../cli/check/text";
import { NO_TERMINAL } from "../../../../cli/command/output";
import { RULES } from "../../../../policies/rules";
import { serviceOfManifest } from "../../../../policies/subjects";
import { CloudError } from "../../../../provider/cloud";
import { ClusterError } from "../../../../provider/cluster";
import { readManifests } from "../../../../provider/service/manifests";
import { target } from "../target";

/** Texts that end lines, move cursors and speak to pipelines. */
const evilText = fc
    .array(
        fc.constantFrom(
            "web",
            "\n",
            "\r",
            "##vso[task.x]",
            "##[x]",
            "::error::",
            "\u001b[2J",
            "\u009b",
            "\u2028",
            "\u202e",
            "```",
            "|",
            "`",
            " ",
            "#",
            ":",
            "\t",
            "<b>",
        ),
        { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join(""));

const EVIL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]|##(?:vso)?\[|^\s*::/m;

const CLB = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";

const evilService = fc
    .record({
        name: evilText,
        namespace: evilText,
        key: evilText,
        value: evilText,
        policy: evilText,
        file: evilText,
    })
    .map(({ file, ...texts }) => ({ file, texts }));

const RULES_AS_THEY_ARE = configureRules(RULES, {});

function printed({ file, texts }: { readonly file: string; readonly texts: Readonly<Record<string, string>> }): void {
    const { name, namespace, key = "", value = "", policy } = texts;
    const manifest = readManifests(
        JSON.stringify({
            apiVersion: "v1",
            kind: "List",
            items: [
                {
                    apiVersion: "v1",
                    kind: "Service",
                    metadata: {
                        name,
                        namespace,
                        annotations: {
                            [CLB + key]: value,
                            [`${CLB}spec`]: value,
                            [`${CLB}additional-resource-tags`]: value,
                        },
                    },
                    spec: {
                        type: "LoadBalancer",
                        externalTrafficPolicy: policy,
                        loadBalancerClass: value,
                        loadBalancerSourceRanges: [value],
                        selector: { a: "b" },
                        ports: [{ port: 80, name: value, targetPort: value }],
                    },
                },
                value,
            ],
        }),
        file,
    );
    const inputs = {
        services: manifest.services.map((one) => serviceOfManifest(one, { clusterId: "c-fuzz" })),
        resources: [],
        removed: [],
        config: undefined,
        notChecked: manifest.others.length,
        unreadable: manifest.diagnostics,
        file,
    };
    const violations = checkInputs(inputs, RULES_AS_THEY_ARE);
    const asText = () => renderCheckText(inputs, violations, NO_TERMINAL);
    for (const render of [asText, renderCompact, renderJunit, renderCheckJson, renderSarif]) {
        const text = render(inputs, violations);
        assert.doesNotMatch(text, EVIL, render.name);
    }
}

function quotedByErrors([action, code, message, requestId]: readonly string[]): void {
    const cloud = { action: "Add", code: code ?? "", message: message ?? "", kind: "final", attempts: 1 } as const;
    const cluster = { kind: "failed", action: action ?? "", detail: message ?? "" } as const;
    for (const error of [new CloudError({ ...cloud, requestId }), new ClusterError(cluster)]) {
        assert.doesNotMatch(error.message, EVIL, error.name);
        assert.ok(error.message.length < 5_000);
    }
}

export const PRINTED = [
    target({
        name: "control characters",
        good: {
            file: "a.yaml",
            texts: { name: "web", namespace: "shop", key: "spec", value: "slb.s1.small", policy: "Local" },
        },
        inputs: evilService,
        take: printed,
    }),
    target({
        name: "texts of cloud and cluster",
        good: ["list nodes", "Forbidden", "no", "1-2"],
        inputs: fc.array(evilText, { minLength: 4, maxLength: 4 }),
        take: quotedByErrors,
    }),
];

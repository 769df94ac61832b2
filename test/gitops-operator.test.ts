/**
 * Manifests of examples/gitops-operator, without the operator: shapes, references between objects, permissions,
 * configuration.
 */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { parseService } from "../provider/service/service";
import { readManifests } from "../provider/service/manifests";
import { found } from "./support/found";
import { REPOSITORY } from "./support/repository";

const HERE = path.join(REPOSITORY, "examples/gitops-operator");
const read = (file: string): string => fs.readFileSync(path.join(HERE, file), "utf8");

const NAME = z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);

/** Fields of a Stack that the example uses. Source: Pulumi Kubernetes Operator, API reference, pulumi.com/v1. */
const STACK = z.strictObject({
    apiVersion: z.literal("pulumi.com/v1"),
    kind: z.literal("Stack"),
    metadata: z.strictObject({ name: NAME, namespace: NAME }),
    spec: z.strictObject({
        serviceAccountName: NAME,
        stack: z.string().min(1),
        projectRepo: z.url(),
        branch: z.string().min(1),
        repoDir: z.string(),
        backend: z.string().regex(/^(https|s3|azblob|gs|file):\/\//),
        refresh: z.boolean(),
        continueResyncOnCommitMatch: z.boolean(),
        resyncFrequencySeconds: z.int().min(60),
        destroyOnFinalize: z.literal(false),
        config: z.record(z.string(), z.string()),
        envRefs: z.record(
            z.string(),
            z.strictObject({ type: z.literal("Secret"), secret: z.strictObject({ name: NAME, key: z.string() }) }),
        ),
        workspaceTemplate: z.strictObject({ spec: z.strictObject({ image: z.string() }) }),
    }),
});

interface KubernetesObject {
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: object };
    readonly roleRef?: { readonly kind: string; readonly name: string };
    readonly subjects?: readonly { readonly name: string; readonly namespace: string }[];
    readonly rules?: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
}

const stack = STACK.parse(parse(read("operator/stack.yaml")));
const access = parseAllDocuments(read("operator/access.yaml")).map((document) => document.toJS() as KubernetesObject);
const ofKind = (kind: string): KubernetesObject[] => access.filter((object) => object.kind === kind);

test("the stack runs as the service account of the role bindings", () => {
    const { namespace } = stack.metadata;
    expect(ofKind("Namespace").map(({ metadata }) => metadata.name)).toStrictEqual([namespace]);
    const [account] = ofKind("ServiceAccount");
    expect(account?.metadata).toMatchObject({ name: stack.spec.serviceAccountName, namespace });
    for (const { subjects, roleRef } of ofKind("ClusterRoleBinding")) {
        expect(subjects).toStrictEqual([{ kind: "ServiceAccount", name: stack.spec.serviceAccountName, namespace }]);
        expect(["system:auth-delegator", ...ofKind("ClusterRole").map(({ metadata }) => metadata.name)]).toContain(
            roleRef?.name,
        );
    }
});

test("its role is the documented one, with the bindings of sync", () => {
    const text = fs.readFileSync(path.join(REPOSITORY, "docs/ram-policy.md"), "utf8");
    const documented = found(/```yaml\n(apiVersion: rbac[^]*?)```/.exec(text)?.[1], "role in docs/ram-policy.md");
    const rules = (role: KubernetesObject | undefined) =>
        role?.rules?.map(({ resources, verbs }) => ({ resources, verbs: [...verbs].sort() }));
    expect(rules(ofKind("ClusterRole")[0])).toStrictEqual(rules(parse(documented) as KubernetesObject));
});

test("its configuration is that of the program, and every key is documented", () => {
    const project = parse(read("repository/Pulumi.yaml")) as { name: string };
    const documented = new Set(
        fs
            .readFileSync(path.join(REPOSITORY, "docs/stack.md"), "utf8")
            .split("\n")
            .flatMap((line) => /^\| `([\w:]+)` +\|/.exec(line)?.[1] ?? []),
    );
    for (const key of Object.keys(stack.spec.config)) {
        const [scope, name = ""] = key.split(":");
        expect([project.name, "alicloud"]).toContain(scope);
        expect(documented).toContain(scope === project.name ? name : key);
    }
    const { config } = stack.spec;
    expect(config["load-balancers:sync"]).toBe("true");
    expect(fs.existsSync(path.join(HERE, "repository", config["load-balancers:manifests"] ?? ""))).toBe(true);
});

test("its manifests are valid", () => {
    const { services, diagnostics } = readManifests(read("repository/manifests/shop.yaml"), "shop.yaml");
    expect(diagnostics).toStrictEqual([]);
    for (const document of services)
        expect(
            parseService(document, { clusterId: "c", networkPlugin: "flannel" }, {}, "clb").diagnostics,
        ).toStrictEqual([]);
    expect(services).toHaveLength(1);
});

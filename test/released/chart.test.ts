/** Helm chart of the sync controller: Helm finds no fault, renders what `install.ts` returns, and installs it. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { parseAllDocuments } from "yaml";
import { applyYaml, installHelm, kubectl, type Session } from "../../lab";
import { API_GROUP, API_VERSION, BINDING_KIND } from "../../provider/sync/binding/spec";
import { installObjects, type InstallOptions } from "../../provider/sync/install";
import { released } from "../support/released";
import { spec } from "../support/sync-world";
import { fail, startWorld, succeed } from "../support/world";

const IMAGE = "registry.example.com/acme/ack-loadbalancer:1";

let session: Session;
let helm: (...args: readonly string[]) => ReturnType<Session["run"]>;
let folder: string;

beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-chart-"));
    const program = path.join(await installHelm(), "helm");
    const homes = ["CACHE", "CONFIG", "DATA"].map((kind) => [`HELM_${kind}_HOME`, path.join(folder, kind)]);
    session = await startWorld({ isOwn: true });
    helm = (...args) => session.run(program, args, { env: Object.fromEntries(homes) as Record<string, string> });
});

afterAll(async () => {
    await session.lab.stop();
    fs.rmSync(folder, { recursive: true, force: true });
});

const chart = (): string => released(/^ack-loadbalancer-sync-.*\.tgz$/);

/** Arguments of Helm that pass values from a file. */
function values(options: object): string[] {
    const file = path.join(folder, "values.json");
    fs.writeFileSync(file, JSON.stringify(options));
    return ["--values", file];
}

interface KubernetesObject {
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Objects by kind and name, sorted. */
const listed = (objects: readonly KubernetesObject[]): [string, KubernetesObject][] =>
    objects
        .map((one): [string, KubernetesObject] => [`${one.kind} ${one.metadata.namespace} ${one.metadata.name}`, one])
        .sort(([a], [b]) => (a < b ? -1 : 1));

test("helm lint finds nothing, with every value set and with none", async () => {
    const all = {
        watchNamespaces: ["shop"],
        ramRole: "sync",
        clusterId: "c1",
        userManagedGroups: ["shop/rsp-1"],
        networkPolicy: true,
    };
    for (const options of [{}, all]) {
        const text = succeed(await helm("lint", "--strict", chart(), ...values(options)));
        expect(text).not.toMatch(/\[(?:INFO|WARNING|ERROR)\]/);
    }
});

const CASES: readonly Omit<InstallOptions, "image" | "namespace">[] = [
    {},
    { replicas: 3, resyncSeconds: 86_400, name: "backends" },
    { ramRole: "sync", networkPolicy: true },
    { networkPolicy: true, readinessGates: false },
    { watchNamespaces: ["shop"] },
    { watchNamespaces: ["shop", "web"], readinessGates: false, userManagedGroups: ["shop/rsp-1"] },
    { clusterId: "c82e", userManagedGroups: ["shop/rsp-1", "web/sgp-2"], readinessGates: false },
    { resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { memory: "2Gi" } }, ramRole: "a", clusterId: "1e3" },
];
for (const options of CASES) {
    test(`helm template renders what is installed otherwise: ${JSON.stringify(options)}`, async () => {
        const args = ["template", "sync", chart(), "--namespace", "edge", ...values({ ...options, image: IMAGE })];
        const documents = parseAllDocuments(succeed(await helm(...args)), { version: "1.1" });
        const rendered = documents.map((document) => document.toJS() as KubernetesObject);
        // The namespace is Helm's, and the definition stays when the release goes.
        const { namespace: _, definition, ...more } = installObjects({ ...options, image: IMAGE, namespace: "edge" });
        const kept = { ...definition.metadata, annotations: { "helm.sh/resource-policy": "keep" } };
        const objects = [{ ...definition, metadata: kept }, ...Object.values(more).flat()];
        expect(listed(rendered)).toStrictEqual(listed(JSON.parse(JSON.stringify(objects)) as KubernetesObject[]));
    });
}

test("values that do not exist, or have another type, are refused", async () => {
    for (const [options, message] of [
        [{ replica: 3 }, /replica/],
        [{ replicas: "many" }, /replicas/],
        [{ userManagedGroups: "shop/rsp-1" }, /userManagedGroups/],
    ] as const)
        expect(fail(await helm("template", "sync", chart(), ...values(options)))).toMatch(message);
});

test("it is installed, upgraded and uninstalled, and definition and bindings stay", async () => {
    const common = ["sync", chart(), "--namespace", "ack-loadbalancer"];
    const notes = succeed(await helm("install", ...common, "--create-namespace", ...values({ ramRole: "sync" })));
    expect(notes).toMatch(/kubectl label namespace ack-loadbalancer pod-identity.alibabacloud.com\/injection=on/);
    const { cluster } = session.lab;
    const metadata = { name: "web-tcp-80", namespace: "default" };
    const type = { apiVersion: `${API_GROUP}/${API_VERSION}`, kind: BINDING_KIND };
    await applyYaml(cluster, JSON.stringify({ ...type, metadata, spec: spec() }));

    succeed(await helm("upgrade", ...common, ...values({ replicas: 3, networkPolicy: true })));
    const get = (...what: string[]) => kubectl(cluster, ["get", ...what, "--output", "name", "--all-namespaces"]);
    expect(await get("deployments,networkpolicies")).toMatch(/deployment.apps\/ack-loadbalancer-sync[^]*networkpolicy/);

    succeed(await helm("uninstall", "sync", "--namespace", "ack-loadbalancer"));
    expect(await get("deployments")).not.toMatch(/ack-loadbalancer-sync/);
    expect(await get("servergroupbindings")).toMatch(/web-tcp-80/);
    // The next installation takes the definition over.
    succeed(await helm("install", ...common, ...values({})));
});

import { expect, test } from "@jest/globals";
import { parseAllDocuments } from "yaml";
import { UsageError } from "../../cli/command/output";
import { readSyncOptions } from "../../cli/sync/main";
import { installManifests, installObjects } from "./install";

const IMAGE = "registry.example.com/ack-loadbalancer:1";

test("manifests hold every object once, and say the same as the component's", () => {
    const options = { image: IMAGE, ramRole: "sync", networkPolicy: true };
    // As kubectl reads it.
    const documents = parseAllDocuments(installManifests(options), { version: "1.1" }).map(
        (document) => document.toJS() as unknown,
    );
    expect(documents).toStrictEqual(JSON.parse(JSON.stringify(Object.values(installObjects(options)))));
    expect(documents.map((document) => (document as { kind: string }).kind)).toStrictEqual([
        "CustomResourceDefinition",
        "Namespace",
        "ServiceAccount",
        "ClusterRole",
        "ClusterRoleBinding",
        "Role",
        "RoleBinding",
        "Role",
        "RoleBinding",
        "ClusterRole",
        "Deployment",
        "PodDisruptionBudget",
        "NetworkPolicy",
    ]);
});

test("the controller may write only statuses, events, conditions of pods and its lease", () => {
    const { clusterRole, role } = installObjects({ image: IMAGE });
    const writes = [...clusterRole.rules, ...role.rules].flatMap(({ resources, verbs }) =>
        verbs.filter((verb) => !["get", "list", "watch"].includes(verb)).map((verb) => `${verb} ${resources.join()}`),
    );
    expect(writes).toStrictEqual([
        "patch pods/status",
        "create events",
        "patch servergroupbindings/status",
        "create leases",
        "patch leases",
    ]);
    expect(JSON.stringify(clusterRole)).not.toMatch(/\*|secrets|configmaps/);
});

test("pods without a RAM role reach the metadata service, which has that of their node", () => {
    const ports = (ramRole: object) => {
        const { networkPolicy } = installObjects({ image: IMAGE, networkPolicy: true, ...ramRole });
        return networkPolicy?.spec.egress.map(({ to, ports }) => [to, ports.map(({ port }) => port)]);
    };
    const everywhere = [undefined, [53, 53, 443, 6443]];
    expect(ports({ ramRole: "sync" })).toStrictEqual([everywhere]);
    expect(ports({})).toStrictEqual([everywhere, [[{ ipBlock: { cidr: "100.100.100.200/32" } }], [80]]]);
});

test("without readiness gates the controller neither reads pods nor writes to them", () => {
    const { clusterRole, deployment } = installObjects({ image: IMAGE, readinessGates: false });
    expect(JSON.stringify(clusterRole)).not.toMatch(/pods/);
    const [container] = deployment.spec.template.spec.containers;
    expect(readSyncOptions(container?.args.slice(1) ?? [], {})).toMatchObject({ options: { readinessGates: false } });
});

test("with namespaces to watch, rights in them are roles there, and the cluster's role has nodes", () => {
    const everywhere = installObjects({ image: IMAGE });
    const options = { image: IMAGE, namespace: "shop", watchNamespaces: ["shop", "web", "shop"] };
    const { clusterRole, watched = [], role, deployment } = installObjects(options);
    expect(clusterRole.rules.flatMap(({ resources }) => resources)).toStrictEqual(["nodes"]);
    const [nodes, ...inNamespaces] = everywhere.clusterRole.rules;
    expect(nodes).toStrictEqual(clusterRole.rules[0]);
    expect(everywhere).not.toHaveProperty("watched");
    const roles = ["shop", "web"].map((namespace) => ({ namespace, name: "ack-loadbalancer-sync-watch" }));
    expect(watched).toMatchObject(
        roles.flatMap((metadata) => [
            { kind: "Role", metadata, rules: inNamespaces },
            { kind: "RoleBinding", metadata, roleRef: { kind: "Role", name: metadata.name } },
        ]),
    );
    // It has its own role for the Lease, too.
    expect(role.metadata).toMatchObject({ namespace: "shop", name: "ack-loadbalancer-sync" });
    expect(installManifests(options).match(/^kind: Role$/gm)).toHaveLength(4);
    const [container] = deployment.spec.template.spec.containers;
    expect(readSyncOptions(container?.args.slice(1) ?? [], {})).toMatchObject({
        options: { watchNamespaces: ["shop", "web", "shop"] },
    });
});

test("the Deployment's command line has the operator's cluster and user-managed groups", () => {
    const said = { clusterId: "c1", userManagedGroups: ["shop/rsp-1", "shop/sgp-2"] };
    const [container] = installObjects({ image: IMAGE, ...said }).deployment.spec.template.spec.containers;
    expect(readSyncOptions(container?.args.slice(1) ?? [], {})).toMatchObject({ kind: "run", options: said });
});

test("runs have a role for bindings, which the installation gives to nobody", () => {
    const { bindingsRole, clusterRoleBinding, roleBinding, profileRole, profileRoleBinding } = installObjects({
        image: IMAGE,
    });
    expect(bindingsRole.rules.flatMap(({ resources }) => resources)).toStrictEqual(["servergroupbindings"]);
    const given = [clusterRoleBinding, roleBinding, profileRoleBinding].map(({ roleRef }) => roleRef.name);
    expect(given).not.toContain(bindingsRole.metadata.name);
    expect(profileRole).toMatchObject({
        metadata: { namespace: "kube-system" },
        rules: [{ resources: ["configmaps"], resourceNames: ["ack-cluster-profile"], verbs: ["get"] }],
    });
});

test("pods run as nobody on a read-only file system, with a cloud role only if one is named", () => {
    const [container] = installObjects({ image: IMAGE }).deployment.spec.template.spec.containers;
    expect(container?.securityContext).toStrictEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
    });
    expect(installObjects({ image: IMAGE }).serviceAccount.metadata).not.toHaveProperty("annotations");
    expect(installObjects({ image: IMAGE, ramRole: "sync" }).serviceAccount.metadata.annotations).toStrictEqual({
        "pod-identity.alibabacloud.com/role-name": "sync",
    });
});

test("the arguments of the Deployment are a command line that the controller takes", () => {
    const [container] = installObjects({ image: IMAGE, resyncSeconds: 60 }).deployment.spec.template.spec.containers;
    const [command, ...rest] = container?.args ?? [];
    expect(command).toBe("sync");
    expect(readSyncOptions(rest, {})).toMatchObject({
        kind: "run",
        options: {
            namespace: "ack-loadbalancer",
            leaseName: "ack-loadbalancer-sync",
            port: 8080,
            resyncSeconds: 60,
            once: false,
        },
    });
});

const REFUSED: readonly [string, readonly string[], RegExp][] = [
    ["an unknown option", ["--frob"], /frob/],
    ["a time that is too short", ["--resync-seconds", "1"], /--resync-seconds: /],
    ["a port that is none", ["--port", "x"], /--port: /],
    [
        "a user-managed group without a namespace",
        ["--user-managed-group", "rsp-1"],
        /--user-managed-group: must be <namespace>/,
    ],
    ["a namespace that is none", ["--watch-namespace", "Shop"], /--watch-namespace: must be the name of a namespace/],
    ["manifests without an image", ["--manifests"], /--image/],
];
for (const [what, argv, message] of REFUSED) {
    test(`the command line refuses ${what}`, () => {
        expect(() => readSyncOptions(argv, {})).toThrow(UsageError);
        expect(() => readSyncOptions(argv, {})).toThrow(message);
    });
}

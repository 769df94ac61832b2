/** What the controller may do in the cluster: as little as it needs. */
import { PROFILE } from "../../kubernetes/discovery";
import { API_GROUP, BINDING_PLURAL } from "../binding/spec";
import { type Install, labelsOf } from "./options";

const RBAC = "rbac.authorization.k8s.io";
const WATCH = ["list", "watch"];

/** Namespace, whose label lets the RRSA webhook put the role's token into pods. */
export const namespaceObject = (install: Install) => ({
    apiVersion: "v1" as const,
    kind: "Namespace" as const,
    metadata: {
        name: install.namespace,
        ...(install.ramRole && { labels: { "pod-identity.alibabacloud.com/injection": "on" } }),
    },
});

/** The identity of the pods, in the cluster and, by RRSA, in the cloud. */
export const serviceAccount = (install: Install) => ({
    apiVersion: "v1" as const,
    kind: "ServiceAccount" as const,
    metadata: {
        ...meta(install),
        ...(install.ramRole && { annotations: { "pod-identity.alibabacloud.com/role-name": install.ramRole } }),
    },
});

/** Reads what decides backends; writes statuses, events and conditions of pods, and nothing else. */
export const clusterRole = ({ name, readinessGates }: Install) => ({
    apiVersion: "rbac.authorization.k8s.io/v1" as const,
    kind: "ClusterRole" as const,
    metadata: { name },
    rules: [
        { apiGroups: [""], resources: ["nodes", "services"], verbs: WATCH },
        { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: WATCH },
        ...(readinessGates
            ? [
                  { apiGroups: [""], resources: ["pods"], verbs: ["get", ...WATCH] },
                  { apiGroups: [""], resources: ["pods/status"], verbs: ["patch"] },
              ]
            : []),
        { apiGroups: [""], resources: ["events"], verbs: ["create"] },
        { apiGroups: [API_GROUP], resources: [BINDING_PLURAL], verbs: WATCH },
        { apiGroups: [API_GROUP], resources: [`${BINDING_PLURAL}/status`], verbs: ["patch"] },
    ],
});

/** The Lease of the election, in the controller's own namespace. */
export const leaseRole = (install: Install) => ({
    apiVersion: "rbac.authorization.k8s.io/v1" as const,
    kind: "Role" as const,
    metadata: meta(install),
    rules: [
        { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
        {
            apiGroups: ["coordination.k8s.io"],
            resources: ["leases"],
            resourceNames: [install.name],
            verbs: ["get", "patch"],
        },
    ],
});

/** The cluster's id, in the namespace of the ConfigMap that holds it. */
export const profileRole = ({ name }: Install) => ({
    apiVersion: "rbac.authorization.k8s.io/v1" as const,
    kind: "Role" as const,
    metadata: { name, namespace: "kube-system" },
    rules: [{ apiGroups: [""], resources: ["configmaps"], resourceNames: [PROFILE], verbs: ["get"] }],
});

/**
 * What runs need for bindings. Nobody has it by the installation: a ClusterRoleBinding, or a RoleBinding in a namespace, gives it to the identity of the runs and to nobody else.
 */
export const bindingsRole = ({ name }: Install) => ({
    apiVersion: "rbac.authorization.k8s.io/v1" as const,
    kind: "ClusterRole" as const,
    metadata: { name: `${name}-bindings` },
    rules: [
        {
            apiGroups: [API_GROUP],
            resources: [BINDING_PLURAL],
            verbs: ["get", "list", "watch", "create", "patch", "update", "delete"],
        },
    ],
});

/** Gives the controller's roles to the service account. */
export const roleBindings = (install: Install) => {
    const subjects = [{ kind: "ServiceAccount", name: install.name, namespace: install.namespace }];
    const roleRef = (kind: string) => ({ apiGroup: RBAC, kind, name: install.name });
    return {
        cluster: {
            apiVersion: "rbac.authorization.k8s.io/v1" as const,
            kind: "ClusterRoleBinding" as const,
            metadata: { name: install.name },
            roleRef: roleRef("ClusterRole"),
            subjects,
        },
        lease: {
            apiVersion: "rbac.authorization.k8s.io/v1" as const,
            kind: "RoleBinding" as const,
            metadata: meta(install),
            roleRef: roleRef("Role"),
            subjects,
        },
        profile: {
            apiVersion: "rbac.authorization.k8s.io/v1" as const,
            kind: "RoleBinding" as const,
            metadata: { name: install.name, namespace: "kube-system" },
            roleRef: roleRef("Role"),
            subjects,
        },
    };
};

/** Name, namespace and labels of a resource of the installation. */
export function meta(install: Install) {
    return { name: install.name, namespace: install.namespace, labels: labelsOf(install) };
}

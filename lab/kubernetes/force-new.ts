/** Properties that cannot be changed in place, by group and kind. `*` matches any element of a list. */
import { isMap, type Json } from "./properties";
import { groupOf, type ObjectType } from "./objects";

const selector = ["spec.selector"];
const job = ["spec.completions", "spec.parallelism", "spec.selector", "spec.template"];
const statefulSet = [
    "spec.podManagementPolicy",
    "spec.revisionHistoryLimit",
    "spec.selector",
    "spec.serviceName",
    "spec.volumeClaimTemplates",
];
const pod = [
    "affinity",
    "automountServiceAccountToken",
    "dnsConfig",
    "dnsPolicy",
    "enableServiceLinks",
    "hostAliases",
    "hostIPC",
    "hostNetwork",
    "hostPID",
    "hostname",
    "imagePullSecrets",
    "nodeName",
    "nodeSelector",
    "overhead",
    "preemptionPolicy",
    "priority",
    "priorityClassName",
    "readinessGates",
    "restartPolicy",
    "runtimeClassName",
    "schedulerName",
    "securityContext",
    "serviceAccount",
    "serviceAccountName",
    "shareProcessNamespace",
    "subdomain",
    "terminationGracePeriodSeconds",
    "volumes",
].map((name) => `spec.${name}`);
const container = [
    "args",
    "command",
    "env",
    "image",
    "imagePullPolicy",
    "lifecycle",
    "livenessProbe",
    "ports",
    "readinessProbe",
    "resources",
    "securityContext",
    "stdin",
    "stdinOnce",
    "terminationMessagePath",
    "terminationMessagePolicy",
    "tty",
    "volumeDevices",
    "volumeMounts",
    "workingDir",
];
const persistentVolume = [
    "awsElasticBlockStore",
    "azureDisk",
    "azureFile",
    "cephfs",
    "cinder",
    "csi",
    "fc",
    "flexVolume",
    "flocker",
    "gcePersistentDisk",
    "glusterfs",
    "hostPath",
    "iscsi",
    "local",
    "nfs",
    "photonPersistentDisk",
    "portworxVolume",
    "quobyte",
    "rbd",
    "scaleIO",
    "storageos",
    "vsphereVolume",
].map((name) => `spec.${name}`);

const table: Readonly<Record<string, readonly string[]>> = {
    "apps/DaemonSet": selector,
    "apps/Deployment": selector,
    "apps/StatefulSet": statefulSet,
    "/ConfigMap": ["binaryData", "data"],
    "/PersistentVolume": persistentVolume,
    "/PersistentVolumeClaim": [
        "spec",
        "spec.accessModes",
        "spec.resources",
        "spec.selector",
        "spec.storageClassName",
        "spec.volumeName",
    ],
    "/Pod": [
        ...pod,
        ...["spec.containers.*", "spec.initContainers.*"].flatMap((prefix) =>
            container.map((name) => `${prefix}.${name}`),
        ),
    ],
    "/ResourceQuota": ["spec.scopes"],
    "/Secret": ["type", "stringData", "data"],
    "/Service": ["spec.clusterIP"],
    "rbac.authorization.k8s.io/ClusterRoleBinding": ["roleRef"],
    "rbac.authorization.k8s.io/RoleBinding": ["roleRef"],
    "storage.k8s.io/StorageClass": ["parameters", "provisioner"],
    "batch/Job": job,
};

export interface Mutability {
    /** ConfigMaps are changed in place unless they say that they are immutable. */
    readonly configMaps: boolean;
    readonly secrets: boolean;
}

/** The paths whose change replaces an object of a type. */
export function forceNewPaths(type: ObjectType, mutable: Mutability): string[][] {
    const key = `${groupOf(type)}/${type.kind}`;
    const isMutable = (key === "/ConfigMap" && mutable.configMaps) || (key === "/Secret" && mutable.secrets);
    const paths = isMutable ? [] : (table[key] ?? []);
    return ["metadata.name", "metadata.namespace", ...paths].map((path) => path.split("."));
}

/** True when a change at `path` to `value` touches one of the paths. */
export function touches(path: readonly (string | number)[], value: Json, paths: readonly string[][]): boolean {
    return paths.some((desired) => {
        const shared = Math.min(path.length, desired.length);
        for (let i = 0; i < shared; i++) {
            const step = path[i]!;
            if (typeof step === "number" ? desired[i] !== "*" : desired[i] !== step) return false;
        }
        return path.length >= desired.length || holds(value, desired.slice(shared));
    });
}

function holds(value: Json, path: readonly string[]): boolean {
    const [first, ...rest] = path;
    if (first === undefined) return true;
    if (first === "*") return Array.isArray(value) && value.some((element) => holds(element, rest));
    return isMap(value) && value[first] !== undefined && holds(value[first], rest);
}

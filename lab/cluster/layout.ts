import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildFlags, type GoModule, moduleCache } from "../build/build";

/** The programs a cluster is made of, plus kubectl. */
export const PROGRAMS = [
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kubectl",
    "kwok",
] as const;
export type Program = (typeof PROGRAMS)[number];

/** Go package of each program. The pinned versions are in `tools/go.mod`. */
export const GO_PACKAGES: Readonly<Record<Program, string>> = {
    etcd: "go.etcd.io/etcd/server/v3",
    "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
    "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
    "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
    kubectl: "k8s.io/kubernetes/cmd/kubectl",
    kwok: "sigs.k8s.io/kwok/cmd/kwok",
};

export interface Versions {
    /** For example "v1.36.3". */
    kubernetes: string;
    etcd: string;
    kwok: string;
    /** Oldest Go that can build them, for example "1.26". */
    go: string;
}

/** Folder of the repository, found upwards from this file: works for the sources and for `dist`. */
export function repositoryRoot(from: string = __dirname): string {
    for (let folder = from; ; folder = dirname(folder)) {
        if (existsSync(join(folder, "lab", "cluster", "tools", "go.mod"))) return folder;
        if (dirname(folder) === folder) throw new Error(`no lab/cluster/tools/go.mod above ${from}`);
    }
}

/** Folder of the Go module that pins the programs. */
export function toolsFolder(): string {
    return join(repositoryRoot(), "lab", "cluster", "tools");
}

/**
 * Reads the pinned versions out of the text of a go.mod.
 * @throws Error naming the module that is not required there.
 */
export function readVersions(goMod: string): Versions {
    const required = (module: string): string => {
        const found = new RegExp(`^(?:require)?\\s+${module.replaceAll(".", "\\.")} (v\\S+)`, "m").exec(goMod)?.[1];
        if (found === undefined) throw new Error(`go.mod does not require ${module}`);
        return found;
    };
    const go = /^go (\d+\.\d+)/m.exec(goMod)?.[1];
    if (go === undefined) throw new Error("go.mod has no go line");
    return {
        kubernetes: required("k8s.io/kubernetes"),
        etcd: required("go.etcd.io/etcd/server/v3"),
        kwok: required("sigs.k8s.io/kwok"),
        go,
    };
}

export function versions(): Versions {
    return readVersions(readFileSync(join(toolsFolder(), "go.mod"), "utf8"));
}

/** Returns the pinned version of a program. */
export function versionOf(program: Program, pinned: Versions): string {
    return program === "etcd" ? pinned.etcd : program === "kwok" ? pinned.kwok : pinned.kubernetes;
}

/** Packages of which a lab runs little: see {@link buildFlags}. */
const COLD = [
    "k8s.io/client-go/applyconfigurations/...",
    "k8s.io/client-go/informers/...",
    "k8s.io/client-go/kubernetes/...",
    "k8s.io/client-go/listers/...",
    "k8s.io/kubectl/...",
    "k8s.io/kubernetes/...",
];

/** Arguments of `go build` besides the packages and the output folder. */
export function clusterFlags(pinned: Versions): string[] {
    // Without a stamp the Kubernetes programs call themselves "v0.0.0-master", which clients that compare
    // versions refuse.
    const [major, minor] = pinned.kubernetes.slice(1).split(".");
    const stamps = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].flatMap((target) => [
        `-X ${target}.gitVersion=${pinned.kubernetes}`,
        `-X ${target}.gitMajor=${major}`,
        `-X ${target}.gitMinor=${minor}`,
    ]);
    return [...buildFlags(COLD), "-ldflags", ["-s -w", ...stamps].join(" ")];
}

/** The module that pins the programs. */
export const goModule = (): GoModule => ({
    folder: toolsFolder(),
    packages: GO_PACKAGES,
    flags: clusterFlags(versions()),
    size: 2800,
});

/** Tool cache folder of the pinned programs: binaries, and kwok's stage files under `stages/`. */
export function toolCache(env: NodeJS.ProcessEnv = process.env): string {
    return moduleCache("cluster", goModule(), env);
}

/** kwok's stage files (what a node and a pod do over time), as paths below `kustomize/stage` of its module. */
export const STAGE_FILES = [
    "node/fast/node-initialize.yaml",
    "node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
    "pod/fast/pod-ready.yaml",
    "pod/fast/pod-complete.yaml",
    "pod/fast/pod-delete.yaml",
] as const;

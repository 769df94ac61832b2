/** The options of every command. What they mean is said by the command's usage. */

import type { Options } from "./line";

const text = { type: "string" } as const;
const list = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;
const help = { ...flag, short: "h" } as const;

/** Where commands that need a cluster find it. */
const CLUSTER = { kubeconfig: text, context: text } as const;

/** Options of `check`. */
export const CHECK_OPTIONS = {
    preview: text,
    config: text,
    format: text,
    json: flag,
    "cluster-id": text,
    "cluster-type": text,
    "network-plugin": text,
    compatibility: text,
    "kubernetes-version": text,
    "created-at": text,
    "kube-proxy-mode": text,
    "vpc-id": text,
    vswitches: text,
    "node-ports": text,
    help,
} as const satisfies Options;

/** Options of `list`. */
export const LIST_OPTIONS = { ...CLUSTER, namespace: text, stack: text, json: flag, help } as const satisfies Options;

/** Options of commands that only look: doctor, show and explain. */
export const LOOKING_OPTIONS = {
    ...CLUSTER,
    region: text,
    profile: text,
    format: text,
    help,
} as const satisfies Options;

/** Options of `report`. */
export const REPORT_OPTIONS = {
    format: text,
    output: text,
    config: text,
    "max-characters": text,
    "fail-on": list,
    schema: flag,
    help,
} as const satisfies Options;

/** Options of `sync`. */
export const SYNC_OPTIONS = {
    ...CLUSTER,
    namespace: text,
    lease: text,
    "cluster-id": text,
    "user-managed-group": list,
    "resync-seconds": text,
    port: text,
    "no-readiness-gates": flag,
    once: flag,
    "dry-run": flag,
    "log-level": text,
    manifests: flag,
    image: text,
    "network-policy": flag,
    "ram-role": text,
    help,
} as const satisfies Options;

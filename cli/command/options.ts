/** Options of every command. */

import type { Options } from "./command-line";

const text = { type: "string" } as const;
const list = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;
const help = { ...flag, short: "h" } as const;

const CLUSTER = { kubeconfig: text, context: text } as const;

export const CHECK_OPTIONS = {
    preview: text,
    config: text,
    format: text,
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

export const LIST_OPTIONS = { ...CLUSTER, namespace: text, stack: text, format: text, help } as const satisfies Options;

/** Options of commands that read cluster and cloud: doctor, show and explain. */
export const INSPECTION_OPTIONS = {
    ...CLUSTER,
    region: text,
    profile: text,
    format: text,
    help,
} as const satisfies Options;

/** Usage of {@link INSPECTION_OPTIONS}. */
export const INSPECTION_USAGE = `\
  --kubeconfig <file>       default: KUBECONFIG, ~/.kube/config, or the pod's service account
  --context <name>          context of the kubeconfig
  --region <id>             region of the cloud (default: the environment's)
  --profile <name>          profile of ~/.aliyun/config.json
  --format <format>         text, markdown, html, json (default text)
`;

export const REPORT_OPTIONS = {
    ...CLUSTER,
    format: text,
    output: text,
    config: text,
    "max-characters": text,
    "fail-on": list,
    schema: flag,
    help,
} as const satisfies Options;

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

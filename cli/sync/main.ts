/** `ack-loadbalancer sync`: runs the sync controller, or prints the manifests that install it. */

import { z } from "zod";
import { ClusterError } from "../../provider/cluster";
import { firstLine } from "../../provider/net";
import { defined } from "../../provider/schema/defined";
import { LEVELS, openLog } from "../../provider/sync/log";
import { startReplica } from "../../provider/sync/live/process";
import * as line from "../command/command-line";
import { EXIT, type Output, UsageError } from "../command/output";

const OPTIONS = {
    ...line.CLUSTER_OPTIONS,
    namespace: { value: "<name>", text: "namespace of the Lease (default: POD_NAMESPACE, else ack-loadbalancer)" },
    lease: { value: "<name>", text: "name of the Lease (default ack-loadbalancer-sync)" },
    "cluster-id": {
        value: "<id>",
        text: "id of the cluster in ownership marks (default: what kube-system/ack-cluster-profile says)",
    },
    "user-managed-group": {
        value: "<namespace>/<id>",
        multiple: true,
        text:
            "\na server group that was not made for a Service, which bindings of that namespace may fill; may\n" +
            "be given several times",
    },
    "watch-namespace": {
        value: "<name>",
        multiple: true,
        text: "serve bindings of this namespace only; may be given several times (default: all)",
    },
    "resync-seconds": { value: "<n>", text: "time between two reads of every group, 10 to 86400 (default 600)" },
    "no-readiness-gates": { text: "set no readiness gates of pods, and read no pods" },
    port: { value: "<n>", text: "port of /healthz, /readyz and /metrics (default 8080; 0 = none)" },
    once: { text: "one pass, then end" },
    "dry-run": { text: "one pass that prints what would be changed, and changes nothing" },
    "log-level": { value: "<level>", text: "error, warn, info or debug (default info)" },
    manifests: { text: "print what installs the controller, as YAML" },
    image: { value: "<name>", text: "image of the Deployment; needed with --manifests" },
    "ram-role": { value: "<name>", text: "RAM role of the service account (RRSA)" },
    "network-policy": { text: "a NetworkPolicy too" },
} as const satisfies line.Options;

const USAGE = `usage: ack-loadbalancer sync [options]

Keeps the backends of server groups equal to the cluster's endpoints, as ServerGroupBindings ask for it.

${line.describeOptions(OPTIONS)}

Exit code: 0 every binding is synced, 1 some are not, 2 the command line is invalid or \
the cluster cannot be read, 3 another replica holds the lease (--once).
`;

const text = z.string().min(1, "must not be empty").optional();

const integer = (from: number, to: number) => {
    const words = `must be a whole number from ${from} to ${to}`;
    return z
        .string()
        .regex(/^\d+$/, words)
        .transform(Number)
        .refine((value) => value >= from && value <= to, words);
};

/** Name of an object in Kubernetes: a label of DNS, as those of namespaces and Leases are here. */
const name = (noun: string) =>
    z
        .string()
        .regex(
            /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/,
            `must be the name of a ${noun}: small letters, digits, - and .`,
        );

const VALUES = z.object({
    kubeconfig: text,
    context: text,
    namespace: name("namespace").optional(),
    "cluster-id": z
        .string()
        .regex(/^[\w*-]+$/, "must be the id of a cluster: letters, digits, - and _")
        .optional(),
    image: text,
    "ram-role": z
        .string()
        .regex(/^[\w.-]{1,64}$/, "must be the name of a RAM role: up to 64 letters, digits and . - _")
        .optional(),
    "user-managed-group": z
        .array(z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+$/, "must be <namespace>/<id of the server group>"))
        .default([]),
    "watch-namespace": z.array(name("namespace")).default([]),
    lease: name("Lease").default("ack-loadbalancer-sync"),
    "resync-seconds": integer(10, 86_400).default(600),
    port: integer(0, 65_535).default(8080),
    "log-level": z.enum(LEVELS, `must be one of ${LEVELS.join(", ")}`).default("info"),
});

/** Reads the command line after `sync`. @throws UsageError */
export function readSyncOptions(argv: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    const { values, positionals } = line.readOptions(argv, OPTIONS);
    line.refuseArguments(positionals);
    const parsed = VALUES.safeParse(values);
    if (!parsed.success)
        throw new UsageError(
            parsed.error.issues.map(({ path: [option], message }) => `--${String(option)}: ${message}`).join("\n"),
        );
    const { data } = parsed;
    const { kubeconfig, context, image, "ram-role": ramRole } = data;
    const dryRun = values["dry-run"] === true;
    const common = {
        namespace: data.namespace ?? env["POD_NAMESPACE"] ?? "ack-loadbalancer",
        clusterId: data["cluster-id"],
        userManagedGroups: data["user-managed-group"],
        watchNamespaces: data["watch-namespace"],
        resyncSeconds: data["resync-seconds"],
        readinessGates: values["no-readiness-gates"] !== true,
    };
    if (values.manifests === true) {
        if (image === undefined) throw new UsageError("--manifests needs --image: the image of the Deployment");
        const networkPolicy = values["network-policy"] === true;
        const install = { ...common, image, name: data.lease, networkPolicy, ...defined({ ramRole }) };
        return { kind: "manifests", install } as const;
    }
    const { port, lease: leaseName, "log-level": logLevel } = data;
    const once = dryRun || values.once === true;
    const cluster = defined({ kubeconfig, context });
    return { kind: "run", options: { ...common, ...cluster, leaseName, port, once, dryRun, logLevel } } as const;
}

export const runSync = (argv: readonly string[], output: Output): Promise<number> =>
    line.runCommand(USAGE, argv, output, () => sync(argv, output), ClusterError);

async function sync(argv: readonly string[], output: Output): Promise<number> {
    const command = readSyncOptions(argv);
    if (command.kind === "manifests") {
        const { installManifests } = await import("../../provider/sync/install.js");
        output.out(installManifests(command.install));
        return EXIT.ok;
    }
    const { options } = command;
    try {
        // Standard output of a dry run is its result.
        const log = options.dryRun ? await openLog("warn", 2) : await openLog(options.logLevel);
        const replica = await startReplica(options, log);
        for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => replica.stop());
        return await replica.done;
    } catch (error) {
        if (error instanceof ClusterError) throw error;
        output.error(`error: ${firstLine(error)}\n`);
        return EXIT.unreadable;
    }
}

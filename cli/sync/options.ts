/** Command line of `ack-loadbalancer sync`. */
import { z } from "zod";
import type { InstallOptions } from "../../provider/sync/install";
import { LEVELS } from "../../provider/sync/log";
import { readOptions } from "../command/command-line";
import { UsageError } from "../command/output";
import { SYNC_OPTIONS } from "../command/options";
import type { SyncOptions } from "../../provider/sync/live/process";
import { defined } from "../../provider/schema/defined";

export const SYNC_USAGE = `usage: ack-loadbalancer sync [options]

Keeps the backends of server groups equal to the cluster's endpoints, as ServerGroupBindings ask for it.

  --kubeconfig <file>       default: KUBECONFIG, ~/.kube/config, or the pod's service account
  --context <name>          context of the kubeconfig
  --namespace <name>        namespace of the Lease (default: POD_NAMESPACE, else ack-loadbalancer)
  --lease <name>            name of the Lease (default ack-loadbalancer-sync)
  --cluster-id <id>         id of the cluster in ownership marks (default: what kube-system/ack-cluster-profile says)
  --user-managed-group <namespace>/<id>
                            a server group that was not made for a Service, which bindings of that \
namespace may fill; may
                            be given several times
  --resync-seconds <n>      time between two reads of every group, 10 to 86400 (default 600)
  --no-readiness-gates      set no readiness gates of pods, and read no pods
  --port <n>                port of /healthz, /readyz and /metrics (default 8080; 0 = none)
  --once                    one pass, then end
  --dry-run                 one pass that prints what would be changed, and changes nothing
  --log-level <level>       error, warn, info or debug (default info)
  --manifests               print what installs the controller, as YAML
  --image <name>            image of the Deployment; needed with --manifests
  --ram-role <name>         RAM role of the service account (RRSA)
  --network-policy          a NetworkPolicy too

Exit code: 0 every binding is synced, 1 some are not, 2 the command line is invalid or \
the cluster cannot be read, 3 another replica holds the lease (--once).
`;

const OPTIONS = z.strictObject({
    kubeconfig: z.string().min(1).optional(),
    context: z.string().min(1).optional(),
    namespace: z.string().min(1).optional(),
    "cluster-id": z.string().min(1).optional(),
    "user-managed-group": z
        .array(z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+$/, "must be <namespace>/<id of the server group>"))
        .default([]),
    lease: z.string().min(1).default("ack-loadbalancer-sync"),
    "resync-seconds": z.coerce.number().int().min(10).max(86_400).default(600),
    "no-readiness-gates": z.boolean().default(false),
    port: z.coerce.number().int().min(0).max(65_535).default(8080),
    once: z.boolean().default(false),
    "dry-run": z.boolean().default(false),
    "log-level": z.enum(LEVELS).default("info"),
    manifests: z.boolean().default(false),
    "network-policy": z.boolean().default(false),
    image: z.string().min(1).optional(),
    "ram-role": z.string().min(1).optional(),
    help: z.boolean().default(false),
});

export type SyncCommand =
    | { readonly kind: "help" }
    | { readonly kind: "manifests"; readonly install: InstallOptions }
    | { readonly kind: "run"; readonly options: SyncOptions };

/**
 * Reads the command line after `sync`.
 *
 * @throws UsageError
 */
export function readSyncOptions(
    argv: readonly string[],
    env: Readonly<Record<string, string | undefined>> = process.env,
): SyncCommand {
    const parsed = OPTIONS.safeParse(valuesOf(argv));
    if (!parsed.success)
        throw new UsageError(
            parsed.error.issues.map(({ path: [option], message }) => `--${String(option)}: ${message}`).join("\n"),
        );
    const { data } = parsed;
    const namespace = data.namespace ?? env["POD_NAMESPACE"] ?? "ack-loadbalancer";
    if (data.help) return { kind: "help" };
    if (data.manifests) return { kind: "manifests", install: installOf(data, namespace) };
    return {
        kind: "run",
        options: {
            ...defined({ kubeconfig: data.kubeconfig, context: data.context }),
            clusterId: data["cluster-id"],
            userManagedGroups: data["user-managed-group"],
            namespace,
            leaseName: data.lease,
            resyncSeconds: data["resync-seconds"],
            port: data.port,
            readinessGates: !data["no-readiness-gates"],
            once: data.once || data["dry-run"],
            dryRun: data["dry-run"],
            logLevel: data["log-level"],
        },
    };
}

function installOf(data: z.output<typeof OPTIONS>, namespace: string): InstallOptions {
    if (data.image === undefined) throw new UsageError("--manifests needs --image: the image of the Deployment");
    return {
        image: data.image,
        namespace,
        name: data.lease,
        resyncSeconds: data["resync-seconds"],
        networkPolicy: data["network-policy"],
        clusterId: data["cluster-id"],
        userManagedGroups: data["user-managed-group"],
        readinessGates: !data["no-readiness-gates"],
        ...defined({ ramRole: data["ram-role"] }),
    };
}

function valuesOf(argv: readonly string[]): Record<string, unknown> {
    const { values, positionals } = readOptions(argv, SYNC_OPTIONS);
    if (positionals.length > 0) throw new UsageError(`unexpected argument ${positionals.join(", ")}`);
    return values;
}

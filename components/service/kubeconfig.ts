import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { isContent } from "../../provider/kubernetes";
import { defined } from "../../provider/schema/defined";

/** The kubeconfig and context that a program names, or that the stack's configuration of the kubernetes provider does: the provider that Pulumi makes by default uses those. */
export interface KubeconfigReference {
    /** A path; never the contents. Undefined = as kubectl finds it. */
    readonly kubeconfig: pulumi.Output<string> | string | undefined;
    readonly context: string | undefined;
    /** Whether the program itself named one, so that the default provider would not do. */
    readonly explicit: boolean;
}

/** A connection with what the stack's configuration of the kubernetes provider says where the program says nothing; without what nobody says. */
export function configuredConnection<Text extends pulumi.Input<string>>(args: {
    readonly kubeconfig?: Text;
    readonly context?: string;
}): { kubeconfig?: Text | string; context?: string } {
    const config = new pulumi.Config("kubernetes");
    const kubeconfig = args.kubeconfig ?? config.get("kubeconfig");
    const context = args.context ?? config.get("context");
    return defined({ kubeconfig, context });
}

/**
 * What a program says of its connection, with the contents of a kubeconfig put into a file of its own.
 *
 * @param cluster name of the cluster in the program.
 */
export function kubeconfigReference(
    cluster: string,
    args: { readonly kubeconfig?: pulumi.Input<string>; readonly context?: string },
): KubeconfigReference {
    const { kubeconfig: given, context } = configuredConnection(args);
    return {
        kubeconfig:
            given === undefined
                ? undefined
                : typeof given === "string"
                  ? pathOf(cluster, given)
                  : pulumi.unsecret(pulumi.output(given)).apply((text) => pathOf(cluster, text)),
        context,
        explicit: args.kubeconfig !== undefined || args.context !== undefined,
    };
}

/**
 * The path of a kubeconfig. Contents are put into a file that only this user can read, in the folder of the Pulumi CLI, so that neither state nor dynamic resources hold
 * them. Its name depends on the cluster alone: credentials that are renewed are no change.
 */
function pathOf(cluster: string, kubeconfig: string): string {
    if (!isContent(kubeconfig)) {
        return kubeconfig;
    }
    const home = process.env["PULUMI_HOME"];
    const name = `ack-loadbalancer/kubeconfig-${createHash("sha256").update(`${pulumi.getProject()}/${pulumi.getStack()}/${cluster}`).digest("hex").slice(0, 16)}`;
    const file = path.join(home ?? path.join(os.homedir(), ".pulumi"), name);
    if (!fs.existsSync(file) || fs.readFileSync(file, "utf8") !== kubeconfig) {
        fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        // A reader never sees half a file.
        const written = `${file}.${process.pid}`;
        fs.writeFileSync(written, kubeconfig, { mode: 0o600 });
        fs.renameSync(written, file);
    }
    // The same text on every machine, unless the folder was moved.
    return home === undefined ? `~/.pulumi/${name}` : file;
}

/** Of several files in KUBECONFIG, the one that has a context: the kubernetes provider takes one file. Undefined where there is no choice. */
export function fileWithContext(context: string | undefined): string | undefined {
    const files = (process.env["KUBECONFIG"] ?? "").split(path.delimiter).filter((file) => file !== "");
    if (files.length < 2 || context === undefined) {
        return files[0];
    }
    const names = (file: string): string[] => {
        const config = parse(fs.readFileSync(file, "utf8")) as { contexts?: { name: string }[] } | null;
        return (config?.contexts ?? []).map(({ name }) => name);
    };
    return files.find((file) => fs.existsSync(file) && names(file).includes(context)) ?? files[0];
}

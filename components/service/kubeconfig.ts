import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { isContent } from "../../provider/cluster";
import { defined } from "../../provider/schema/defined";

/** Kubeconfig and context of the program, else of the stack's configuration of the kubernetes provider. */
export interface KubeconfigReference {
    /** Path, never contents. Undefined: the one that kubectl uses. */
    readonly kubeconfig: pulumi.Output<string> | string | undefined;
    readonly context: string | undefined;
    /** True if the program names one, which Pulumi's default provider does not use. */
    readonly explicit: boolean;
}

/** Returns the given connection, completed from the stack's configuration of the kubernetes provider. */
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
 * Resolves the connection of a program; contents of a kubeconfig are written to a file.
 *
 * @param cluster name of the cluster in the program
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
 * Returns the path of a kubeconfig. Contents go into a file in the folder of the Pulumi CLI that only this user can
 * read, and never into the state. Its name depends only on the cluster: renewed credentials are no change.
 */
function pathOf(cluster: string, kubeconfig: string): string {
    if (!isContent(kubeconfig)) return kubeconfig;
    const home = process.env["PULUMI_HOME"];
    const id = `${pulumi.getProject()}/${pulumi.getStack()}/${cluster}`;
    const name = `ack-loadbalancer/kubeconfig-${createHash("sha256").update(id).digest("hex").slice(0, 16)}`;
    const file = path.join(home ?? path.join(os.homedir(), ".pulumi"), name);
    if (!fs.existsSync(file) || fs.readFileSync(file, "utf8") !== kubeconfig) {
        fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        // Renaming is atomic for concurrent readers.
        const written = `${file}.${process.pid}`;
        fs.writeFileSync(written, kubeconfig, { mode: 0o600 });
        fs.renameSync(written, file);
    }
    // The path must be the same on every machine, unless PULUMI_HOME is set.
    return home === undefined ? `~/.pulumi/${name}` : file;
}

/** Returns the file in KUBECONFIG that has a context, else the first one: the kubernetes provider takes one file. */
export function fileWithContext(context: string | undefined): string | undefined {
    const files = (process.env["KUBECONFIG"] ?? "").split(path.delimiter).filter((file) => file !== "");
    if (files.length < 2 || context === undefined) return files[0];
    const names = (file: string): string[] => {
        const config = parse(fs.readFileSync(file, "utf8")) as { contexts?: { name: string }[] } | null;
        return (config?.contexts ?? []).map(({ name }) => name);
    };
    return files.find((file) => fs.existsSync(file) && names(file).includes(context)) ?? files[0];
}

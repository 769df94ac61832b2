import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { REPOSITORY } from "../repository";
import { type Cli, type Plugin, sdkVersion, yamlHostVersion } from "./install";

/** Programs that the lab puts where the CLI looks for plugins, by the folder that each has there. */
function programs({ kind, yamlHost, plugins }: Cli): Record<string, string> {
    const resources = Object.fromEntries(
        (["alicloud", "kubernetes"] satisfies Plugin[]).map((name) => [
            `resource-${name}-v${sdkVersion(name)}`,
            path.join(plugins?.[name] ?? `lab/${name}`, `pulumi-resource-${name}`),
        ]),
    );
    // A CLI of the user's has these beside it.
    const bundled = {
        ...(yamlHost !== undefined && {
            [`language-yaml-${yamlHostVersion()}`]: path.join(yamlHost, "pulumi-language-yaml"),
        }),
        [`language-nodejs-v${sdkVersion("pulumi")}`]: "lab/nodejs/pulumi-language-nodejs",
        [`resource-pulumi-nodejs-v${sdkVersion("pulumi")}`]: "lab/nodejs/pulumi-resource-pulumi-nodejs",
    };
    return kind === "pinned" ? { ...resources, ...bundled } : resources;
}

/**
 * Returns the variables of a CLI whose backend, home and plugins are in a folder.
 *
 * @param dir folder, in which `state` and `pulumi-home` are made if they are missing
 * @param outer the user's own variables
 */
export function pulumiVariables(dir: string, cli: Cli, outer: NodeJS.ProcessEnv): Record<string, string> {
    const [state, home] = [path.join(dir, "state"), path.join(dir, "pulumi-home")];
    fs.mkdirSync(state, { recursive: true });
    makePulumiHome(home, cli, outer);
    return {
        // No metadata files: a CLI that is killed while it writes such a file leaves it empty, and then reads no
        // checkpoint.
        PULUMI_BACKEND_URL: `file://${state}?metadata=skip`,
        PULUMI_CONFIG_PASSPHRASE: passphrase(dir),
        PULUMI_HOME: home,
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
        LAB_ALICLOUD_VERSION: sdkVersion("alicloud"),
    };
}

/** Returns the passphrase of a folder, which a second shell needs to use its stacks. */
function passphrase(dir: string): string {
    const file = path.join(dir, "passphrase");
    if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(12).toString("hex"), { mode: 0o600 });
    return fs.readFileSync(file, "utf8");
}

/**
 * Creates the folder PULUMI_HOME of a lab, whose `plugins/` has the plugins of the CLI. With a user's CLI and plugins
 * these are the user's.
 */
function makePulumiHome(home: string, cli: Cli, outer: NodeJS.ProcessEnv): void {
    fs.mkdirSync(home, { recursive: true });
    const folder = path.join(home, "plugins");
    if (cli.kind === "path") {
        const own = path.join(outer["PULUMI_HOME"] ?? path.join(os.homedir(), ".pulumi"), "plugins");
        if (fs.existsSync(own)) link(own, folder);
        return;
    }
    for (const [name, program] of Object.entries(programs(cli))) {
        fs.mkdirSync(path.join(folder, name), { recursive: true });
        link(path.resolve(REPOSITORY, program), path.join(folder, name, path.basename(program)));
    }
}

function link(target: string, file: string): void {
    fs.rmSync(file, { force: true });
    fs.symlinkSync(target, file);
}

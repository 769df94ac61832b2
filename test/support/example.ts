/** Programs of examples/, run as they are in the repository. */
import * as fs from "node:fs";
import * as path from "node:path";
import { stringify } from "yaml";
import { REPOSITORY, SECRETS_PROVIDER, type Session } from "../../lab";
import { PLAIN, succeed } from "./stack";

/** A region without a cluster. */
export const FAR = "cn-shanghai";

/**
 * Adds an account or region to the cloud, with a network and the machines of the clusters.
 *
 * @param query that finds the place afterwards
 */
export async function addPlace(session: Session, query: string, place: object): Promise<void> {
    const { ecs } = await session.cloud<{ ecs: { instances: { id: string }[] } }>("/_state");
    await session.cloud("/_places", place);
    await session.cloud(`/_seed?${query}`, {
        vpcs: [{ id: "vpc-far" }],
        vSwitches: [{ id: "vsw-far", vpcId: "vpc-far", zoneId: `${FAR}-a`, cidr: "10.0.0.0/16" }],
        instances: ecs.instances.map(({ id }) => ({ id })),
    });
}

interface Surroundings {
    /** Configuration of the stack, as `pulumi config set` leaves it. */
    readonly config?: Readonly<Record<string, string>>;
    readonly env?: Readonly<Record<string, string>>;
    /** Further variables, of operations that run the program. */
    readonly programEnv?: Readonly<Record<string, string>>;
}

interface Up {
    /** Output of `up`, its preview first. */
    readonly log: string;
    /** Returns the output of a further command on the stack, which has to succeed. */
    succeeds(...args: string[]): Promise<string>;
}

/** Runs an example from its first `pulumi up` to `pulumi destroy`. `check` is called while it is up. */
export async function runExample(
    session: Session,
    name: string,
    { config = {}, env = {}, programEnv = {} }: Surroundings,
    check: (up: Up) => Promise<void>,
): Promise<void> {
    const cwd = path.join(REPOSITORY, "examples", name);
    const project = /^name: (.+)$/m.exec(fs.readFileSync(path.join(cwd, "Pulumi.yaml"), "utf8"))?.[1] ?? "";
    const stack = `${name}-${process.pid}`;
    const settings = path.join(cwd, `Pulumi.${stack}.yaml`);
    const pulumi = async (...args: string[]): Promise<string> => {
        const more = args[0] === "up" || args[0] === "preview" ? programEnv : {};
        const options = { cwd, env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true", ...env, ...more } };
        return succeed(await session.run("pulumi", args, options));
    };
    const succeeds = (operation: string, ...args: string[]) =>
        pulumi(operation, ...args, "--stack", stack, ...(operation === "stack" ? ["--non-interactive"] : PLAIN));
    const keys = Object.entries(config).map(([key, value]) => [key.includes(":") ? key : `${project}:${key}`, value]);
    fs.writeFileSync(settings, stringify({ config: Object.fromEntries(keys) as object }));
    try {
        await pulumi("stack", "init", stack, "--secrets-provider", SECRETS_PROVIDER, "--non-interactive");
        await check({ log: await succeeds("up", "--yes"), succeeds });
        await succeeds("destroy", "--yes", "--skip-preview");
    } finally {
        fs.rmSync(settings, { force: true });
    }
}

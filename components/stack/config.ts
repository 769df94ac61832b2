import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { CLUSTER_TYPES, NETWORK_PLUGINS } from "../../provider/schema/facts";
import { parseJsonObject } from "../../provider/net";
import type { MoveTo } from "../../provider/plan";
import type { Account } from "../../provider/schema/account";
import type { AdoptArgs } from "../adoption";
import type { DiscoverArgs } from "../service/discover";

/** Configuration of the GitOps stack, as `Pulumi.yaml` describes it. */
export interface StackConfig {
    /** Folder of Pulumi.yaml. */
    readonly projectFolder: string;
    /** Folder of manifests, absolute. */
    readonly manifests: string;
    /** What is configured of the cluster; the cluster is asked for the rest. */
    readonly cluster: DiscoverArgs;
    /** Services, as `namespace/name`, whose create-only settings may change this time. */
    readonly allowReplacement: Readonly<Record<string, readonly string[]>>;
    /** Services, as `namespace/name`, whose vServer groups may become empty. */
    readonly allowEmpty: readonly string[];
    /** Services, as `namespace/name`, that another tool applies. */
    readonly follow: readonly string[];
    /** Services, as `namespace/name`, that are taken over from the Cloud Controller Manager with their load balancers. They are followed, too. */
    readonly adopt: Readonly<Record<string, AdoptArgs>>;
    /** Services, as `namespace/name`, that go back to the Cloud Controller Manager with their load balancers once they leave the stack. */
    readonly handBack: readonly string[];
    /** Services, as `namespace/name`, that cannot be deleted, nor their instances. */
    readonly protect: readonly string[];
}

/** What a key must hold, in words and by an example. JSON may hold anything, and a text in place of a list would be searched for parts of names. */
interface Shape<Value> {
    readonly schema: z.ZodType<Value>;
    readonly words: string;
    readonly example: string;
}

const listOf = (example: string): Shape<readonly string[]> => ({
    schema: z.array(z.string()),
    words: "a list of texts",
    example,
});

const SERVICES = listOf('["shop/web"]');

const SETTINGS: Shape<Readonly<Record<string, readonly string[]>>> = {
    schema: z.record(z.string(), z.array(z.string())),
    words: "a map of lists of settings by Service",
    example: '{"shop/web": ["addressType"]}',
};

/** Settings of one Service. `pulumi config set --path 'adopt["shop/web"]' '{}'` stores the text `{}`, which means the same. */
const ADOPT_ARGS = z.preprocess(
    (value) => (typeof value === "string" ? (parseJsonObject(value) ?? value) : value),
    z.object({ loadBalancerId: z.string().optional(), allowChanges: z.boolean().optional() }),
);

const ADOPT: Shape<Readonly<Record<string, AdoptArgs>>> = {
    schema: z.record(z.string(), ADOPT_ARGS),
    words: "a map of settings by Service",
    example: '{"shop/web": {"loadBalancerId": "lb-…"}}',
};

const MOVE_TO: Shape<MoveTo> = {
    schema: z.strictObject({
        cluster: z.string().optional(),
        account: z.string().optional(),
        region: z.string().optional(),
    }),
    words: "a map of cluster (UID of the namespace kube-system), account (its id) and region",
    example: '{"region": "cn-shanghai"}',
};

const ACCOUNT: Shape<Account> = {
    schema: z.strictObject({
        region: z.string().optional(),
        profile: z.string().optional(),
        assumeRole: z
            .strictObject({
                roleArn: z.string(),
                sessionName: z.string().optional(),
                externalId: z.string().optional(),
                policy: z.string().optional(),
            })
            .optional(),
        endpoints: z.partialRecord(z.enum(["slb", "nlb", "vpc", "ecs", "tag", "sts", "quotas"]), z.string()).optional(),
    }),
    words: "a map of region, profile, assumeRole (roleArn, sessionName, externalId, policy) and endpoints by product",
    example: '{"assumeRole": {"roleArn": "acs:ram::…:role/…"}}',
};

const NODE_PORTS: Shape<{ readonly from: number; readonly to: number }> = {
    schema: z.strictObject({ from: z.int(), to: z.int() }),
    words: "a map of from and to, both whole numbers",
    example: '{"from": 30000, "to": 32767}',
};

const wordOf = <Word extends string>(words: readonly [Word, ...Word[]]): Shape<Word> => ({
    schema: z.enum(words),
    words: `one of ${words.join(", ")}`,
    example: words[0],
});

/** Whether a key is text or JSON. */
type Reader = (config: pulumi.Config, key: string) => unknown;

const TEXT: Reader = (config, key) => config.get(key);
const DATA: Reader = (config, key) => config.getObject(key);

/**
 * Reads the configuration of the stack.
 *
 * @throws RunError if a required key is missing, or with everything that has another shape than it must have; the engine shows it as it is.
 */
export function readConfig(): StackConfig {
    const config = new pulumi.Config();
    const problems: string[] = [];
    const read = <Value>(reader: Reader, key: string, shape: Shape<Value>): Value | undefined => {
        const value = reader(config, key);
        if (value === undefined) return undefined;
        const parsed = shape.schema.safeParse(value);
        if (!parsed.success) problems.push(...problemsOf(key, shape, parsed.error));
        return parsed.data;
    };
    const services = (key: string) => read(DATA, key, SERVICES) ?? [];
    const folder = projectFolder();
    const found: StackConfig = {
        projectFolder: folder,
        manifests: path.resolve(folder, config.require("manifests")),
        cluster: withoutAbsent({
            clusterId: config.get("clusterId"),
            clusterType: read(TEXT, "clusterType", wordOf(CLUSTER_TYPES)),
            edgeLink: config.getBoolean("edgeLink") === true ? true : undefined,
            networkPlugin: read(TEXT, "networkPlugin", wordOf(NETWORK_PLUGINS)),
            createdAt: config.get("createdAt"),
            compatibility: config.get("compatibility"),
            kubernetesVersion: config.get("kubernetesVersion"),
            kubeProxyMode: read(TEXT, "kubeProxyMode", wordOf(["iptables", "ipvs"])),
            vpcId: config.get("vpcId"),
            resourceGroupId: config.get("resourceGroupId"),
            vpcCidrs: read(DATA, "vpcCidrs", listOf('["10.0.0.0/8"]')),
            vswitches: read(DATA, "vswitches", listOf('["vsw-…"]')),
            nodePortRange: read(DATA, "nodePortRange", NODE_PORTS),
            deniedLoadBalancers: read(DATA, "deniedLoadBalancers", listOf('["lb-…"]')),
            kubeconfig: config.get("kubeconfig"),
            context: config.get("context"),
            account: read(DATA, "account", ACCOUNT),
            moveTo: read(DATA, "moveTo", MOVE_TO),
            sync: config.getBoolean("sync") === true ? true : undefined,
        }),
        allowReplacement: read(DATA, "allowReplacement", SETTINGS) ?? {},
        allowEmpty: services("allowEmpty"),
        follow: services("follow"),
        adopt: read(DATA, "adopt", ADOPT) ?? {},
        handBack: services("handBack"),
        protect: services("protect"),
    };
    if (problems.length > 0) {
        throw new pulumi.RunError(problems.join("\n"));
    }
    return found;
}

function problemsOf<Value>(key: string, { words, example }: Shape<Value>, { issues }: z.ZodError): string[] {
    return issues.map((issue) => {
        const place = issue.path.length === 0 ? "" : ` (at ${issue.path.join(", ")})`;
        return `config ${key} must be ${words}${place}, for example ${example}. Remedy: pulumi config set --path, or pulumi config rm ${key}.`;
    });
}

function withoutAbsent(args: {
    readonly [Key in keyof DiscoverArgs]: DiscoverArgs[Key] | undefined;
}): DiscoverArgs {
    return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

/** The folder of Pulumi.yaml: relative paths mean the same from wherever the command is run. */
function projectFolder(): string {
    return pulumi.getRootDirectory() || process.cwd();
}

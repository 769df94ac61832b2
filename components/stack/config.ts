import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { closest } from "../../provider/service/annotations/closest";
import { parseJsonObject } from "../../provider/net";
import { REPLACEABLE } from "../../provider/plan/immutability";
import type { Account } from "../../provider/schema/account";
import { CLUSTER_TYPES, NETWORK_PLUGINS } from "../../provider/schema/facts";
import { defined } from "../../provider/schema/defined";
import type { AdoptArgs } from "../adoption/find";
import type { DiscoverArgs } from "../cluster/args";

/**
 * Reads the keys of a project, and records their names. An empty text counts as not set: a variable without a value
 * leaves it.
 */
class Reader {
    readonly problems: string[] = [];
    readonly #config: pulumi.Config;
    readonly #keys: string[] = [];

    /** @param namespace of the keys. Default: the project. */
    constructor(namespace?: string) {
        this.#config = new pulumi.Config(namespace);
    }

    text(key: string): string | undefined {
        this.#keys.push(key);
        return this.#config.get(key) || undefined;
    }

    required(key: string): string {
        const value = this.text(key);
        if (value !== undefined) return value;
        if (this.#config.get(key) === undefined) return this.#config.require(key);
        this.problems.push(`config ${key} is empty. Remedy: pulumi config set ${key} <value>.`);
        return "";
    }

    /** True, or absent. */
    flag(key: string): true | undefined {
        this.#keys.push(key);
        return this.#config.getBoolean(key) === true ? true : undefined;
    }

    word<Word extends string>(key: string, words: readonly [Word, ...Word[]]): Word | undefined {
        const shape = { schema: z.enum(words), words: `one of ${words.join(", ")}`, example: words[0] };
        return this.#parsed(key, this.text(key), shape);
    }

    list(key: string, example: string): readonly string[] | undefined {
        return this.data(key, { schema: z.array(z.string()), words: "a list of texts", example });
    }

    data<Value>(key: string, shape: Shape<Value>): Value | undefined {
        this.#keys.push(key);
        return this.#parsed(key, this.#config.getObject(key), shape);
    }

    /**
     * Judges keys of the project that nothing has read. A key that is probably another is a problem, and the rest gives
     * advice.
     */
    judgeOthers(): void {
        const prefix = `${this.#config.name}:`;
        const unread = Object.keys(pulumi.runtime.allConfig())
            .filter((key) => key.startsWith(prefix))
            .map((key) => key.slice(prefix.length))
            .filter((key) => !this.#keys.includes(key));
        for (const key of unread) {
            const near = closest(key, this.#keys);
            const what = `config ${key} is not a key of this stack and has no effect`;
            if (near === undefined) void pulumi.log.warn(`${what}. Remedy: pulumi config rm ${key}.`);
            else this.problems.push(`${what}; did you mean ${near}? Remedy: pulumi config rm ${key}.`);
        }
    }

    #parsed<Value>(key: string, value: unknown, { schema, words, example }: Shape<Value>): Value | undefined {
        if (value === undefined) return undefined;
        const { data, error } = schema.safeParse(value);
        for (const issue of error?.issues ?? []) {
            const place = issue.path.length === 0 ? "" : ` (at ${issue.path.join(", ")})`;
            this.problems.push(
                `config ${key} must be ${words}${place}, for example ${example}. ` +
                    `Remedy: pulumi config set --path, or pulumi config rm ${key}.`,
            );
        }
        return data;
    }
}

/**
 * Reads the configuration of the stack, see docs/stack.md. Services are named `namespace/name`.
 *
 * @throws RunError if a required key is missing, or with all values of the wrong shape.
 */
export function readConfig() {
    const config = new Reader();
    const services = (key: string) => config.data(key, SERVICES) ?? [];
    // Relative paths mean the same from wherever the command is run. Without a project the SDK names no real folder.
    const root = pulumi.getRootDirectory();
    const folder = path.isAbsolute(root) ? root : process.cwd();
    const found = {
        /** Folder of Pulumi.yaml. */
        projectFolder: folder,
        manifests: path.resolve(folder, config.required("manifests")),
        /** Configured facts about the cluster. The others are read from the cluster. */
        cluster: readCluster(config),
        allowReplacement: config.data("allowReplacement", SETTINGS) ?? {},
        allowEmpty: services("allowEmpty"),
        follow: services("follow"),
        adopt: config.data("adopt", ADOPT) ?? {},
        handBack: services("handBack"),
        protect: services("protect"),
    };
    config.judgeOthers();
    if (config.problems.length > 0) throw new pulumi.RunError(config.problems.join("\n"));
    return found;
}

/** Reads the facts about a cluster that the plugin is configured with, by the keys of the GitOps stack. */
export function readClusterConfig(): DiscoverArgs {
    const config = new Reader("ack-loadbalancer");
    const cluster = readCluster(config);
    if (config.problems.length > 0) throw new pulumi.RunError(config.problems.join("\n"));
    return cluster;
}

const readCluster = (config: Reader): DiscoverArgs =>
    defined({
        clusterId: config.text("clusterId"),
        clusterType: config.word("clusterType", CLUSTER_TYPES),
        edgeLink: config.flag("edgeLink"),
        networkPlugin: config.word("networkPlugin", NETWORK_PLUGINS),
        createdAt: config.text("createdAt"),
        compatibility: config.text("compatibility"),
        kubernetesVersion: config.text("kubernetesVersion"),
        kubeProxyMode: config.word("kubeProxyMode", ["iptables", "ipvs"]),
        vpcId: config.text("vpcId"),
        resourceGroupId: config.text("resourceGroupId"),
        vpcCidrs: config.list("vpcCidrs", '["10.0.0.0/8"]'),
        vswitches: config.list("vswitches", '["vsw-…"]'),
        nodePortRange: config.data("nodePortRange", NODE_PORTS),
        deniedLoadBalancers: config.list("deniedLoadBalancers", '["lb-…"]'),
        kubeconfig: config.text("kubeconfig"),
        context: config.text("context"),
        account: config.data("account", ACCOUNT),
        sync: config.flag("sync"),
    });

/**
 * Shape of a key's value, with a description and an example. JSON allows any type, and a text instead of a list would
 * be searched for parts of names.
 */
interface Shape<Value> {
    readonly schema: z.ZodType<Value>;
    readonly words: string;
    readonly example: string;
}

/** A Service: its namespace and its name. */
const SERVICE = z.string().regex(/^[^/]+\/[^/]+$/);

const SERVICES: Shape<readonly string[]> = {
    schema: z.array(SERVICE),
    words: "a list of Services, each as namespace/name",
    example: '["shop/web"]',
};

const SETTINGS: Shape<Readonly<Record<string, readonly string[]>>> = {
    schema: z.record(SERVICE, z.array(z.enum(REPLACEABLE))),
    words: `a map of lists of settings by Service (namespace/name), each one of ${REPLACEABLE.join(", ")}`,
    example: '{"shop/web": ["addressType"]}',
};

/**
 * Settings of a Service. `pulumi config set --path 'adopt["shop/web"]' '{}'` stores the text `{}`, which is read as an
 * object.
 */
const ADOPT_ARGS = z.preprocess(
    (value) => (typeof value === "string" ? (parseJsonObject(value) ?? value) : value),
    z.strictObject({ loadBalancerId: z.string().optional(), allowChanges: z.boolean().optional() }),
);

const ADOPT: Shape<Readonly<Record<string, AdoptArgs>>> = {
    schema: z.record(SERVICE, ADOPT_ARGS),
    words: "a map of settings by Service (namespace/name), which are loadBalancerId and allowChanges",
    example: '{"shop/web": {"loadBalancerId": "lb-…"}}',
};

/** An id of digits: `pulumi config set --path` stores it as a number. */
const DIGITS = z.preprocess((value) => (Number.isSafeInteger(value) ? String(value) : value), z.string());

const ACCOUNT: Shape<Account> = {
    schema: z.strictObject({
        region: z.string().optional(),
        profile: z.string().optional(),
        assumeRole: z
            .strictObject({
                roleArn: z.string(),
                sessionName: z.string().optional(),
                externalId: DIGITS.optional(),
                policy: z.string().optional(),
            })
            .optional(),
        endpoints: z
            .partialRecord(z.enum(["slb", "nlb", "vpc", "ecs", "tag", "sts", "quotas", "cas"]), z.string())
            .optional(),
    }),
    words: "a map of region, profile, assumeRole (roleArn, sessionName, externalId, policy) and endpoints by product",
    example: '{"assumeRole": {"roleArn": "acs:ram::…:role/…"}}',
};

const NODE_PORTS: Shape<{ readonly from: number; readonly to: number }> = {
    schema: z.strictObject({ from: z.int(), to: z.int() }),
    words: "a map of from and to, both whole numbers",
    example: '{"from": 30000, "to": 32767}',
};

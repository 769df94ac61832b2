/** The schema of the plugin: what programs in other languages can write. */
import * as path from "node:path";
import * as fs from "node:fs";
import { COMPONENTS } from "../../components/plugin/construct";
import { LOAD_BALANCER_TYPES } from "../../provider/schema/load-balancer-type";
import { COMPONENT_TYPES, type ComponentType, componentType } from "../../provider/schema/own-types";
import { unlessEmpty } from "../../provider/schema/defined";
import type { SettingName } from "../../provider/schema/settings";
import { anyRowOf, rowOf } from "../../provider/service/annotations/catalogue";
import { defaultText } from "../docs/annotations";
import { ANY, type PropertySpec, TypeReader } from "./types";

const ROOT = path.dirname(require.resolve("ack-loadbalancer/package.json"));

/** Programs in three languages for each component, whose file names are its own. */
const EXAMPLES = path.join(ROOT, "tools/schema/examples");

/** Titles of the examples. */
const TITLES: Readonly<Record<ComponentType, string>> = {
    ServiceLoadBalancer: "A Service described in code",
    SharedLoadBalancer: "Two Services on one address",
    SyncController: "With a RAM role for its pods",
    UnexposedService: "A Service that becomes ClusterIP",
};

/** Names of languages in fences, by file extension. */
const LANGUAGES = { ts: "typescript", py: "python", yaml: "yaml" };

const CLUSTER = "#/types/ack-loadbalancer:index:Cluster";

/** Interfaces of arguments by component: its own, and those of the static methods that make it otherwise. */
const ARGUMENTS: Readonly<Record<ComponentType, readonly string[]>> = {
    ServiceLoadBalancer: ["ServiceLoadBalancerArgs", "AdoptServiceArgs"],
    SharedLoadBalancer: ["SharedLoadBalancerArgs"],
    SyncController: ["SyncControllerArgs"],
    UnexposedService: ["UnexposedServiceArgs"],
};

/** Properties that are others than in TypeScript: values instead of objects of the program. */
const OTHERWISE: Readonly<Record<string, PropertySpec>> = {
    cluster: {
        $ref: CLUSTER,
        plain: true,
        description:
            "Default: the cluster of the stack's configuration. Facts that are not stated are read from the cluster.",
    },
    adopt: {
        type: "boolean",
        plain: true,
        description:
            "Takes the Service `namespace`/`name` over from the Cloud Controller Manager with its load balancer, " +
            "without a write to it. Default false.",
    },
};

/** Returns the schema, as `pulumi package get-schema` prints it. */
export function packageSchema(): object {
    const reader = new TypeReader([path.join(ROOT, "components/index.ts")], {
        instead: {
            Cluster: { $ref: CLUSTER },
            SharedLoadBalancer: { $ref: "#/resources/ack-loadbalancer:index:SharedLoadBalancer" },
            Adoption: ANY,
            KubernetesObject: ANY,
            ServiceObject: ANY,
        },
        describe: (parent, property) =>
            parent === "Settings" || parent === "InstanceSettings"
                ? describeSetting(property as SettingName)
                : undefined,
        secrets: ["kubeconfig"],
    });
    const resources = COMPONENT_TYPES.map((name) => {
        const [own, ...more] = ARGUMENTS[name].map((one) => reader.propertiesOf(one));
        const inputs: Record<string, PropertySpec> = Object.assign({}, ...[...more, own].map((one) => one?.properties));
        const inputProperties = Object.entries(inputs)
            .filter(([key]) => key !== "live")
            .map(([key, spec]) => [key, OTHERWISE[key] ?? spec]);
        const { properties, required } = reader.propertiesOf(name, COMPONENTS[name].outputs);
        const component = {
            isComponent: true,
            description: `${reader.descriptionOf(name)}\n\n${exampleOf(name)}`,
            inputProperties: Object.fromEntries(inputProperties) as object,
            requiredInputs: unlessEmpty((own?.required ?? []).filter((key) => key !== "cluster" && key !== "live")),
            properties: unlessEmpty(withoutPlain(properties)),
            required,
        };
        return [componentType(name), component] as const;
    });
    const { name: _, ...configured } = reader.propertiesOf("DiscoverArgs").properties;
    const types = new Map([
        ...reader.types,
        ["Cluster", { type: "object", ...reader.propertiesOf("DiscoverArgs") }] as const,
    ]);
    return {
        ...identity(),
        config: { variables: withoutPlain(configured) },
        provider: { description: "Is configured by the stack's configuration (`ack-loadbalancer:clusterId`, …)." },
        types: Object.fromEntries(
            [...types]
                .sort(([a], [b]) => (a < b ? -1 : 1))
                .map(([key, spec]) => [`ack-loadbalancer:index:${key}`, spec]),
        ),
        resources: Object.fromEntries(resources),
    };
}

/** Names, addresses and version of package and SDKs. That for Node is the package itself, which TypeScript imports. */
function identity(): object {
    const { version, description, keywords, license, author, homepage } = JSON.parse(
        fs.readFileSync(path.join(ROOT, "package.json"), "utf8"),
    ) as Record<"version" | "description" | "license" | "author" | "homepage", string> & {
        readonly keywords: readonly string[];
    };
    const repository = homepage.replace("https://github.com/", "");
    const sdk = { respectSchemaVersion: true };
    return {
        name: "ack-loadbalancer",
        displayName: "Load balancers of ACK",
        version,
        description,
        // The last two are the registry's own.
        keywords: [...keywords, "category/network", "kind/component"],
        homepage,
        repository: homepage,
        license,
        publisher: author,
        logoUrl: `https://raw.githubusercontent.com/${repository}/main/docs/images/logo.svg`,
        pluginDownloadURL: `github://api.github.com/${repository}`,
        language: {
            csharp: {
                ...sdk,
                namespaces: { "ack-loadbalancer": "AckLoadBalancer" },
                packageReferences: { Pulumi: "3.*" },
            },
            go: { ...sdk, importBasePath: `github.com/${repository}/sdk/go/ackloadbalancer` },
            java: { basePackage: "io.github.ack_loadbalancer" },
            nodejs: { ...sdk, packageName: "ack-loadbalancer" },
            python: { ...sdk, packageName: "pulumi_ack_loadbalancer", pyproject: { enabled: true } },
        },
        // SDKs are whole packages, with their version and the go.mod of the Go SDK.
        meta: { supportPack: true },
    };
}

/** Examples of a component as a part of its description. Pages and SDKs show those of their language. */
function exampleOf(name: ComponentType): string {
    const programs = Object.entries(LANGUAGES).map(([extension, language]) => {
        const text = fs.readFileSync(path.join(EXAMPLES, `${name}.${extension}`), "utf8");
        return `\`\`\`${language}\n${text}\`\`\`\n`;
    });
    return [
        "{{% examples %}}\n## Example Usage\n{{% example %}}",
        `### ${TITLES[name]}\n`,
        ...programs,
        "{{% /example %}}\n{{% /examples %}}",
    ].join("\n");
}

/** Outputs and configuration are no inputs, which alone may have to be plain. */
const withoutPlain = (properties: Readonly<Record<string, PropertySpec>>): object =>
    Object.fromEntries(Object.entries(properties).map(([key, { plain: _, ...spec }]) => [key, spec]));

/** A default of the schema would be sent as if the program stated it, so that it is in words. */
function describeSetting(field: SettingName): string {
    const kinds = LOAD_BALANCER_TYPES.filter((type) => rowOf(field, type) !== undefined);
    const only = kinds.length === 1 ? `${String(kinds[0]).toUpperCase()} only. ` : "";
    const row = anyRowOf(field);
    const allowed = row.type.allowed.replace(/[.]$/, "");
    return `${only}${row.doc} Value: ${allowed}. Default: ${defaultText(row)}.`;
}

/** Helm chart of the sync controller, from the objects and the options of its installation. */
import * as fs from "node:fs";
import * as path from "node:path";
import { INSTALL_DEFAULTS, installObjects, type InstallOptions, manifestOf } from "../../provider/sync/install";
import { joinLines } from "./lines";

/** Name of the chart and of its folder. */
export const CHART = "ack-loadbalancer-sync";

const ROOT = path.dirname(require.resolve("ack-loadbalancer/package.json"));

/** Options that add or remove parts of the objects. */
const SWITCHES = [
    "ramRole",
    "clusterId",
    "userManagedGroups",
    "readinessGates",
    "networkPolicy",
    // The last: roles repeat for each of its values, and have no condition on it.
    "watchNamespaces",
] as const;

/** Options that always have a value. */
const ALWAYS = ["image", "namespace", "name", "replicas", "resources", "resyncSeconds"] as const;

/** Text in the place of an option's value. */
const standIn = (name: string): string => `VALUE-${name}`;

/** Expressions of the template language by the names of {@link standIn}. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
    namespace: "$.Release.Namespace",
    replicas: "int $.Values.replicas",
    resyncSeconds: "int $.Values.resyncSeconds",
    resources: "toJson $.Values.resources",
    userManagedGroups: ".",
    watchNamespaces: ".",
};
const expressionOf = (name: string): string => EXPRESSIONS[name] ?? `$.Values.${name}`;

/** Options with stand-ins for their values, and with the switches whose bits a number has. */
function optionsOf(number: number): InstallOptions {
    const on = new Set<string>(SWITCHES.filter((_, bit) => (number >> bit) & 1));
    const options = {
        ...Object.fromEntries(ALWAYS.map((name) => [name, standIn(name)])),
        ...(on.has("ramRole") && { ramRole: standIn("ramRole") }),
        ...(on.has("clusterId") && { clusterId: standIn("clusterId") }),
        ...(on.has("userManagedGroups") && { userManagedGroups: [standIn("userManagedGroups")] }),
        ...(on.has("watchNamespaces") && { watchNamespaces: [standIn("watchNamespaces")] }),
        readinessGates: on.has("readinessGates"),
        networkPolicy: on.has("networkPolicy"),
    };
    // A stand-in is a text where a number is expected.
    return options as unknown as InstallOptions;
}

/** Objects of the chart by name. Helm has a namespace already. The CustomResourceDefinition stays with the bindings. */
function objectsOf(number: number): Readonly<Record<string, object>> {
    const { namespace: _, definition, ...objects } = installObjects(optionsOf(number));
    const annotations = { "helm.sh/resource-policy": "keep" };
    return { definition: { ...definition, metadata: { ...definition.metadata, annotations } }, ...objects };
}

/** Writes a line with its values: its whole text, or parts of it. */
function templateLine(line: string): string {
    const [, head = "", text = ""] = /^(\s*(?:- )?(?:[\w./-]+: )?)(.*)$/.exec(line) ?? [];
    const names = [...text.matchAll(/VALUE-(\w+)/g)].map(([, name = ""]) => name);
    const [first] = names;
    if (first === undefined) return line;
    const expression = expressionOf(first);
    if (text !== standIn(first)) {
        const values = names.map(expressionOf).map((one) => (one.includes(" ") ? `(${one})` : one));
        return `${head}{{ printf "${text.replaceAll(/VALUE-\w+/g, "%v")}" ${values.join(" ")} | quote }}`;
    }
    return `${head}{{ ${/^(?:int|toJson) /.test(expression) ? expression : `${expression} | quote`} }}`;
}

/** Lines of an object, or of several as documents. */
const linesOf = (object: object | readonly object[]): string[] =>
    (Array.isArray(object) ? object.map((one: object) => `---\n${manifestOf(one)}`).join("") : manifestOf(object))
        .trimEnd()
        .split("\n");

/** Templates by file name. */
function templates(): Record<string, string> {
    const objects = Array.from({ length: 2 ** SWITCHES.length }, (_, number) => objectsOf(number));
    const conditions = SWITCHES.map((name) => `$.Values.${name}`);
    const names = [...new Set(objects.flatMap((one) => Object.keys(one)))];
    return Object.fromEntries(
        names.map((name) => {
            const texts = objects.map(({ [name]: one }) => (one === undefined ? [] : linesOf(one)));
            const lines =
                name === "watched"
                    ? [LOOP, ...joinLines(texts.slice(texts.length / 2), conditions.slice(0, -1)), "{{- end }}"]
                    : joinLines(texts, conditions);
            // A line for each value of a list.
            const text = lines
                .map(templateLine)
                .join("\n")
                .replaceAll(/(?<={{- )if(?= \$\.Values\.(?:userManagedGroups|watchNamespaces) }})/g, "range");
            return [`templates/${name}.yaml`, `${text}\n`];
        }),
    );
}

const LOOP = "{{- range $.Values.watchNamespaces }}";

interface Schema {
    readonly version: string;
    readonly homepage: string;
    readonly license: string;
    readonly logoUrl: string;
    readonly resources: Readonly<Record<string, { readonly inputProperties: Readonly<Record<string, Property>> }>>;
}

interface Property {
    readonly description: string;
    readonly type?: string;
    readonly items?: object;
}

/** Returns the files of the chart by their path in its folder. Types and descriptions of values are those of the plugin. */
export function chartFiles(): Record<string, string> {
    const schema = JSON.parse(fs.readFileSync(path.join(ROOT, "components/plugin/schema.json"), "utf8")) as Schema;
    const { namespace: _, ...values } =
        schema.resources["ack-loadbalancer:index:SyncController"]?.inputProperties ?? {};
    const image = `${schema.homepage.replace("https://github.com", "ghcr.io")}:${schema.version}`;
    const defaults: Readonly<Record<string, unknown>> = { ramRole: "", clusterId: "", image, ...INSTALL_DEFAULTS };
    const described = Object.entries(values).map(([name, { description }]) => {
        return `# ${description}\n${manifestOf({ [name]: defaults[name] })}`;
    });
    const properties = Object.entries(values).map(([name, { type = "object", items, description }]) => {
        return [name, { type, items, description }] as const;
    });
    return {
        "Chart.yaml": manifestOf({
            apiVersion: "v2",
            name: CHART,
            description: "Sync controller of ack-loadbalancer: backends that follow pods and nodes between runs",
            version: schema.version,
            appVersion: schema.version,
            kubeVersion: ">=1.24.0-0",
            home: schema.homepage,
            sources: [schema.homepage],
            icon: schema.logoUrl,
            annotations: { "artifacthub.io/license": schema.license },
        }),
        "values.yaml": described.join("\n"),
        "values.schema.json": JSON.stringify(
            {
                $schema: "http://json-schema.org/draft-07/schema#",
                type: "object",
                // Helm passes it to the charts that a chart depends on.
                properties: { ...Object.fromEntries(properties), global: { type: "object" } },
                additionalProperties: false,
            },
            undefined,
            2,
        ),
        "templates/NOTES.txt": NOTES,
        ...templates(),
    };
}

const NOTES = `Switch sync on in the stacks of the cluster: pulumi config set sync true
{{- if .Values.ramRole }}
RRSA puts the token of the RAM role only into pods of a namespace with this label. If it has none:
  kubectl label namespace {{ .Release.Namespace }} pod-identity.alibabacloud.com/injection=on
  kubectl rollout restart deployment/{{ .Values.name }} --namespace {{ .Release.Namespace }}
{{- end }}
`;

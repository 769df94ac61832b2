/** Reads data of unknown shape by a schema. The requirement at the path of each of zod's issues is the remedy. */
import { z } from "zod";
import { closest, didYouMean } from "../../provider/service/annotations/closest";
import { type FieldPath, isMapping, type Problem, valueAt } from "../../provider/diagnostics";
import { quote } from "../../provider/net/redact";
import { defined } from "../../provider/schema/defined";
import { CLUSTER_TYPES, type ClusterFacts, NETWORK_PLUGINS } from "../../provider/schema/facts";

export interface Misfit extends Pick<Problem, "cause" | "remedy"> {
    readonly path: FieldPath;
    /** A key of the object at the path that the schema does not have. */
    readonly unknownKey?: string;
    /** The key that it has and that is probably meant. */
    readonly nearest?: string;
}

type Parsed<T> = { readonly data: T; readonly problems?: undefined } | { readonly problems: readonly Misfit[] };

export function parseData<Schema extends z.ZodType>(schema: Schema, value: unknown): Parsed<z.output<Schema>> {
    const result = schema.safeParse(value);
    if (result.success) return { data: result.data };
    const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    return {
        problems: result.error.issues.flatMap((issue) => {
            const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
            const required = schemaAt(json, path);
            if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(path, key, required));
            return [
                { path, cause: causeOf(valueAt(value, path), required), remedy: `write ${requirementOf(required)}` },
            ];
        }),
    };
}

function unknownKey(path: FieldPath, key: string, { properties }: JsonSchema): Misfit {
    const known = isMapping(properties) ? Object.keys(properties) : [];
    const nearest = closest(key, known);
    return {
        path,
        unknownKey: key,
        ...defined({ nearest }),
        cause: `there is no setting "${key}"`,
        remedy: didYouMean(nearest, `write one of ${known.join(", ")}`),
    };
}

/** Returns the cause. A text is quoted only where a text is expected: any other one may be a secret. */
function causeOf(value: unknown, required: JsonSchema): string {
    if (value === undefined) return "a value is missing";
    if (Array.isArray(value)) return "a list is not allowed";
    if (typeof value === "string" && withoutNull(required)["type"] !== "string") return "a text is not allowed";
    return isMapping(value) ? "an object is not allowed" : `${quote(value)} is not allowed`;
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns the part of a JSON schema at a path, or `{}` if there is none. */
function schemaAt(schema: JsonSchema, path: FieldPath): JsonSchema {
    return path.reduce<JsonSchema>((outer, part) => {
        const holder = withoutNull(outer);
        const properties = holder["properties"];
        const named = isMapping(properties) && Object.hasOwn(properties, part) ? properties[part] : undefined;
        const next = named ?? (typeof part === "number" ? holder["items"] : holder["additionalProperties"]);
        return isMapping(next) ? next : {};
    }, schema);
}

/** Leaves out null where it is allowed: it is never the remedy. */
function withoutNull(schema: JsonSchema): JsonSchema {
    const members = (schema["anyOf"] ?? []) as readonly JsonSchema[];
    const others = members.filter(({ type }) => type !== "null");
    return others.length < members.length && others.length === 1 && others[0] !== undefined ? others[0] : schema;
}

function requirementOf(given: JsonSchema): string {
    const schema = withoutNull(given);
    const { type, description } = schema;
    if (Array.isArray(schema["anyOf"])) return schema["anyOf"].map(requirementOf).join(" or ");
    if (Array.isArray(schema["enum"])) return `one of ${schema["enum"].join(", ")}`;
    if (type === "array") return `a list of ${isMapping(schema["items"]) ? nounOf(schema["items"]) : "value"}s`;
    if (type === "integer") return `an integer${rangeOf(schema)}`;
    if (schema["pattern"] !== undefined && typeof description === "string") return description;
    return `${type === "object" ? "an" : "a"} ${nounOf(schema)}`;
}

const nounOf = (schema: JsonSchema): string => (typeof schema["type"] === "string" ? schema["type"] : "value");

function rangeOf({ minimum, maximum }: JsonSchema): string {
    if (typeof minimum !== "number") return "";
    const bounded = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER;
    return bounded ? ` from ${minimum} to ${maximum}` : ` of ${minimum} or more`;
}

export const PORT = z.int().min(1).max(65535);
const list = z.array(z.string().min(1));

export const CLUSTER_FACTS = z.strictObject({
    clusterId: z.string().min(1).exactOptional(),
    compatibility: z.string().exactOptional(),
    clusterType: z.enum(CLUSTER_TYPES).exactOptional(),
    edgeLink: z.boolean().exactOptional(),
    networkPlugin: z.enum(NETWORK_PLUGINS).exactOptional(),
    createdAt: z.string().exactOptional(),
    kubernetesVersion: z.string().exactOptional(),
    kubeProxyMode: z.enum(["iptables", "ipvs"]).exactOptional(),
    vpcId: z.string().exactOptional(),
    vpcCidrs: list.exactOptional(),
    vswitches: list.exactOptional(),
    resourceGroupId: z.string().exactOptional(),
    deniedLoadBalancers: list.exactOptional(),
    nodePortRange: z.strictObject({ from: PORT, to: PORT }).exactOptional(),
}) satisfies z.ZodType<Partial<ClusterFacts>>;

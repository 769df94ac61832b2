/** CustomResourceDefinition of ServerGroupBinding, generated from the schemas of its spec and status. */
import { z } from "zod";
import { API_GROUP, API_VERSION, BINDING_KIND, BINDING_PLURAL, BINDING_SPEC } from "./spec";
import { BINDING_STATUS } from "./status";

type Schema = Readonly<Record<string, unknown>>;

/** Keywords of JSON Schema that structural schemas do not have. */
const NOT_STRUCTURAL = new Set(["$schema", "propertyNames"]);

/**
 * Converts a JSON Schema to a structural schema: each value has one type, and only `x-kubernetes-int-or-string` has
 * two. Source: Kubernetes, "Extend the Kubernetes API with CustomResourceDefinitions", specifying a structural schema.
 */
function structural(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(structural);
    if (typeof value !== "object" || value === null) return value;
    const schema = value as Schema;
    const intOrString = schema["x-kubernetes-int-or-string"] === true;
    return Object.fromEntries(
        Object.entries(schema)
            .filter(([key]) => !NOT_STRUCTURAL.has(key) && !(intOrString && key === "anyOf"))
            .filter(([, inner]) => Math.abs(Number(inner)) !== Number.MAX_SAFE_INTEGER)
            .map(([key, inner]) => [key, structural(inner)]),
    );
}

const schemaOf = (schema: z.ZodType): Schema =>
    structural(z.toJSONSchema(schema, { io: "input", reused: "inline" })) as Schema;

/** Returns a column of `kubectl get servergroupbindings`. */
const column = (name: string, type: string, jsonPath: string, description: string, priority = 0) => ({
    name,
    type,
    jsonPath,
    description,
    ...(priority === 0 ? {} : { priority }),
});

const COLUMNS = [
    column("Service", "string", ".spec.serviceName", "The Service"),
    column("Group", "string", ".spec.serverGroup.id", "The server group"),
    column("Synced", "string", '.status.conditions[?(@.type=="Synced")].status', "Whether the backends are desired"),
    column("Reason", "string", '.status.conditions[?(@.type=="Synced")].reason', "Why"),
    column("Backends", "integer", ".status.backends.total", "Managed backends"),
    column("Draining", "integer", ".status.backends.draining", "Backends about to be removed"),
    column("User-managed", "integer", ".status.backends.userManaged", "Members left alone", 1),
    column("Changed", "date", ".status.lastChangeTime", "Last change of the group"),
    column("Message", "string", '.status.conditions[?(@.type=="Synced")].message', "Cause and remedy", 1),
    column("Age", "date", ".metadata.creationTimestamp", "Age"),
];

/**
 * Returns the CustomResourceDefinition. Its only version is stored. A further version will be served with the same
 * fields, or with a conversion that keeps them (docs/sync.md, upgrade).
 */
export function bindingDefinition() {
    return {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `${BINDING_PLURAL}.${API_GROUP}` },
        spec: {
            group: API_GROUP,
            scope: "Namespaced",
            names: {
                kind: BINDING_KIND,
                listKind: `${BINDING_KIND}List`,
                plural: BINDING_PLURAL,
                singular: BINDING_KIND.toLowerCase(),
                shortNames: ["sgb"],
                categories: ["ack-loadbalancer"],
            },
            conversion: { strategy: "None" },
            versions: [
                {
                    name: API_VERSION,
                    served: true,
                    storage: true,
                    subresources: { status: {} },
                    additionalPrinterColumns: COLUMNS,
                    schema: {
                        openAPIV3Schema: {
                            type: "object",
                            description: "Keeps the backends of one server group equal to what the cluster says.",
                            required: ["spec"],
                            properties: {
                                apiVersion: { type: "string" },
                                kind: { type: "string" },
                                metadata: { type: "object" },
                                spec: schemaOf(BINDING_SPEC),
                                status: schemaOf(BINDING_STATUS),
                            },
                        },
                    },
                },
            ],
        },
    };
}

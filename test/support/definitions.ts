/**
 * Definitions of ServerGroupBinding in later packages, derived from the present definition, and an object that has
 * every field.
 */
import { bindingDefinition } from "../../provider/sync/binding/crd";
import { API_VERSION, type BindingSpec } from "../../provider/sync/binding/spec";

/** Version of the custom resource that only the tests have. */
export const LATER_VERSION = "v1beta1";

type Definition = ReturnType<typeof bindingDefinition>;
type Version = Definition["spec"]["versions"][number];

/** A JSON schema of an object, as far as its properties go. */
interface Schema {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly items?: Schema;
}

const [PRESENT] = bindingDefinition().spec.versions as [Version];

const withVersions = (...versions: readonly Version[]): Definition => {
    const definition = bindingDefinition();
    return { ...definition, spec: { ...definition.spec, versions: [...versions] } };
};

/** Returns the definition with an additional optional field, `spec.note`. */
export function withOneFieldMore(): Definition {
    const version = structuredClone(PRESENT);
    const { spec } = version.schema.openAPIV3Schema.properties as unknown as {
        spec: { properties: Record<string, unknown> };
    };
    spec.properties["note"] = { type: "string", maxLength: 64 };
    return withVersions(version);
}

/** Returns the definition with a later, stored version next to the present version, which is served or not. */
export const withLaterVersion = (presentServed = true): Definition =>
    withVersions({ ...PRESENT, served: presentServed, storage: false }, { ...PRESENT, name: LATER_VERSION });

/** Every property of a schema, as paths. */
export function pathsOf({ properties = {}, items }: Schema, path = ""): string[] {
    const inner = Object.entries(properties).flatMap(([name, schema]) => [
        `${path}.${name}`,
        ...pathsOf(schema, `${path}.${name}`),
    ]);
    return items === undefined ? inner : [...inner, ...pathsOf(items, `${path}[]`)];
}

/** Paths of every property of spec or status. */
export const fieldsOf = (part: "spec" | "status"): string[] => pathsOf(PRESENT.schema.openAPIV3Schema.properties[part]);

/** Paths of what an object has. */
export function pathsIn(value: unknown, path = ""): string[] {
    if (Array.isArray(value)) return [...new Set(value.flatMap((item) => pathsIn(item, `${path}[]`)))];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([name, inner]) => [`${path}.${name}`, ...pathsIn(inner, `${path}.${name}`)]);
}

/** A spec with every field, each with another value than its default. */
export const FULL_SPEC: BindingSpec = {
    region: "cn-hangzhou",
    assumeRole: {
        roleArn: "acs:ram::1234567890123456:role/load-balancers",
        sessionName: "session",
        externalId: "external",
        policy: '{"Version":"1"}',
    },
    serverGroup: { id: "sgp-full", type: "Ip", userManaged: true, anyPort: true, ipVersion: "dualstack" },
    ownershipMark: "k8s.8080.TCP.nobody.default.c-test",
    serviceName: "nobody",
    ports: [{ name: "tcp-80", port: 80, protocol: "UDP", targetPort: "named" }],
    backendType: "eni",
    nodePort: 0,
    externalTrafficPolicy: "Local",
    nodeSelector: { pool: "blue" },
    removeUnscheduled: true,
    weightShare: 50,
    defaultWeight: 7,
    ignoreWeightUpdate: true,
    compatibility: "v2.9.0",
    vpcId: "vpc-1",
    vpcCidrs: ["10.0.0.0/8"],
    allowEmpty: true,
    drainSeconds: 30,
    gracefulShutdown: true,
};

/** Path of the bindings of the namespace `default` in a version. */
export const bindingsPath = (version: string = API_VERSION): string =>
    `/apis/ack-loadbalancer.io/${version}/namespaces/default/servergroupbindings`;

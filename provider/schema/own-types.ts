/** Types of this package's custom resources. */

const DYNAMIC = "pulumi-nodejs:dynamic/ack-loadbalancer:";
const SERVED = "ack-loadbalancer:index:";

/** Type of a dynamic resource, which a program in TypeScript registers. */
export const dynamicType = <Name extends string>(name: Name) => `${DYNAMIC}${name}` as const;

/** Type of the same resource as the plugin registers it, for programs in other languages. */
export const servedType = <Name extends string>(name: Name) => `${SERVED}${name}` as const;

/** True for the type of a dynamic resource of this package, which has another type in the plugin. */
export const isOwn = (type: string): boolean => type.startsWith(DYNAMIC);

/** Components, whose types begin like those of the plugin's resources. */
const COMPONENTS = ["ServiceLoadBalancer", "SharedLoadBalancer", "SyncController"];

/** Returns the type by which rules and reports know a resource: one of the plugin is known by its dynamic type. */
export function knownType(type: string): string {
    const name = type.startsWith(SERVED) ? type.slice(SERVED.length) : undefined;
    return name === undefined || COMPONENTS.includes(name) ? type : dynamicType(name);
}

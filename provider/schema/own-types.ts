/** Types of this package's custom resources. */

const DYNAMIC = "pulumi-nodejs:dynamic/ack-loadbalancer:";
const SERVED = "ack-loadbalancer:index:";

/** Type of a dynamic resource, which a program in TypeScript registers. */
export const dynamicType = <Name extends string>(name: Name) => `${DYNAMIC}${name}` as const;

/** Type of the same resource as the plugin registers it, for programs in other languages. */
export const servedType = <Name extends string>(name: Name) => `${SERVED}${name}` as const;

/** Types of this package: the list of its components and custom resources. */

export const COMPONENT_TYPES = [
    "ServiceLoadBalancer",
    "SharedLoadBalancer",
    "SyncController",
    "UnexposedService",
] as const;

export type ComponentType = (typeof COMPONENT_TYPES)[number];

/** Custom resources, each with the path of its handler below `provider/resources/handlers`. */
export const HANDLERS = {
    Backends: "backends",
    ServiceClaim: "claim",
    ServiceContract: "contract",
    HandBackRecord: "hand-back",
    LoadBalancerRelease: "release",
    LoadBalancerRemnant: "remnant",
    ReusedLoadBalancer: "reused",
    ServiceStatus: "status",
    AclEntries: "clb/acl",
    AclCheck: "clb/acl-check",
    CertificateCheck: "clb/certificate",
    ListenerOptions: "clb/listener",
    VSwitchChoice: "clb/vswitch",
    NlbCertificateCheck: "nlb/certificate-check",
    AdditionalCertificates: "nlb/certificates",
    SourceSecurityGroup: "nlb/security-group",
    ServerGroupOptions: "nlb/server-group",
    ZoneCheck: "nlb/zone-check",
    LoadBalancerZones: "nlb/zones",
} as const;

export type ResourceType = keyof typeof HANDLERS;

const DYNAMIC = "pulumi-nodejs:dynamic/ack-loadbalancer:";
const SERVED = "ack-loadbalancer:index:";

/** Type of a dynamic resource, which a program in TypeScript registers. */
export const dynamicType = <Name extends ResourceType>(name: Name) => `${DYNAMIC}${name}` as const;

/** Type of the same resource as the plugin registers it, for programs in other languages. */
export const servedType = <Name extends ResourceType>(name: Name) => `${SERVED}${name}` as const;

/** Type of a component, in every language. */
export const componentType = <Name extends ComponentType>(name: Name) => `${SERVED}${name}` as const;

export const isResourceType = (name: string): name is ResourceType => Object.hasOwn(HANDLERS, name);

/** Returns the type by which rules and reports know a resource: one of the plugin is known by its dynamic type. */
export function knownType(type: string): string {
    const name = type.startsWith(SERVED) ? type.slice(SERVED.length) : "";
    return isResourceType(name) ? dynamicType(name) : type;
}

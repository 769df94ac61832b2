/** Services behind an NLB, for the cases of this folder. */
import { component, plain, type ServiceSpec } from "../case";

export const ZONES = { "zone-maps": "cn-hangzhou-a:vsw-1,cn-hangzhou-b:vsw-2" };
export const CCM_CLASS = "alibabacloud.com/nlb";
const OWN_CLASS = "ack-loadbalancer.io/nlb";

const withNlb = (loadBalancerClass: string, { annotations, spec, ...rest }: ServiceSpec): ServiceSpec => ({
    ...rest,
    annotations: { ...ZONES, ...annotations },
    spec: { loadBalancerClass, ...spec },
});

/** A Service that a program applies, for the Cloud Controller Manager to make an NLB for. */
export const applied = (spec: ServiceSpec = {}, more: Parameters<typeof plain>[1] = {}) =>
    plain(withNlb(CCM_CLASS, spec), more);

/** A component whose Service gets an NLB. */
export const ours = (
    spec: NonNullable<Parameters<typeof component>[0]> = {},
    more: Parameters<typeof component>[1] = {},
) => component({ ...withNlb(OWN_CLASS, spec), ...(spec.facts === undefined ? {} : { facts: spec.facts }) }, more);

export const was = (before: ServiceSpec, now: ServiceSpec) => applied(now, { before: applied(before).props });

export const LOCAL = { externalTrafficPolicy: "Local" };
export const TERWAY = { facts: { networkPlugin: "terway" } } as const;
export const TLS = { "protocol-port": "tcpssl:80", "cert-id": "cert-1" };

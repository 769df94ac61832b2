import { keyOfSetting } from "../../annotations";
import type { ServiceObject } from "../../kubernetes";
import { type LoadBalancerType, typeOfClass } from "../../schema/load-balancer-type";

/** The kind of load balancer that a Service asks for, also where something else is wrong with it. */
export function chosenTypeOf({ metadata, spec }: ServiceObject): LoadBalancerType {
    const named = metadata.annotations?.[keyOfSetting("type")];
    if (named === "nlb" || named === "clb") return named;
    return typeOfClass(spec?.loadBalancerClass) ?? "clb";
}

/** Protections of an instance that somebody switches off. */

import { z } from "zod";
import type { ResourceSubject, ServiceSubject } from "../../subjects";
import { CLB_INSTANCE_TYPE, NLB_INSTANCE_TYPE, CLB_INSTANCE_FORMER_TYPE } from "../../types";

/** What is not protected. */
export interface Unprotected {
    /** The cloud would let the instance be deleted. */
    readonly deletion: boolean;
    /** The console would let it be changed. */
    readonly modification: boolean;
}

/** What a Service switches off. The Cloud Controller Manager protects every NLB that it makes, whatever annotations say. */
export function switchedOffBy({ settings, controller, loadBalancerType }: ServiceSubject): Unprotected {
    const ignored = controller === "ccm" && loadBalancerType === "nlb";
    return {
        deletion: !ignored && settings.deleteProtection === "off",
        modification: !ignored && settings.modificationProtection === "NonProtection",
    };
}

const classic = (instance: ResourceSubject): Unprotected => ({
    deletion: instance.get("deleteProtection") !== "on",
    modification: instance.get("modificationProtectionStatus") !== "ConsoleProtection",
});

/** The plugin knows two ways to say each. */
const network = (instance: ResourceSubject): Unprotected => ({
    deletion: !(
        instance.get("deletionProtectionEnabled", z.boolean()) ??
        instance.get("deletionProtectionConfig", z.object({ enabled: z.boolean() }))?.enabled ??
        false
    ),
    modification:
        (instance.get("modificationProtectionStatus") ??
            instance.get("modificationProtectionConfig", z.object({ status: z.string() }))?.status) !==
        "ConsoleProtection",
});

/** What an instance of the program's own leaves unprotected, by its type. Protections of such are off by default. */
export const UNPROTECTED: Readonly<Record<string, (instance: ResourceSubject) => Unprotected>> = {
    [CLB_INSTANCE_TYPE]: classic,
    [CLB_INSTANCE_FORMER_TYPE]: classic,
    [NLB_INSTANCE_TYPE]: network,
};

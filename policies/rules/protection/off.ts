/** Protections of an instance that are switched off. */

import { z } from "zod";
import type { ResourceSubject, ServiceSubject } from "../../subjects";
import { CLB_INSTANCE_TYPE, NLB_INSTANCE_TYPE, CLB_INSTANCE_FORMER_TYPE } from "../../subjects/types";

/** What is not protected. */
export interface Unprotected {
    /** Deletion protection is off. */
    readonly deletion: boolean;
    /** Protection against changes in the console is off. */
    readonly modification: boolean;
}

/** What a Service switches off. The Cloud Controller Manager protects every NLB that it creates, whatever the annotations are. */
export function switchedOffBy({ settings, controller, loadBalancerType }: ServiceSubject): Unprotected {
    const ignored = controller === "ccm" && loadBalancerType === "nlb";
    return {
        deletion: !ignored && settings.deleteProtection === "off",
        modification: !ignored && settings.modificationProtection === "NonProtection",
    };
}

const clb = (instance: ResourceSubject): Unprotected => ({
    deletion: instance.get("deleteProtection") !== "on",
    modification: instance.get("modificationProtectionStatus") !== "ConsoleProtection",
});

/** The plugin has two properties for each. */
const nlb = (instance: ResourceSubject): Unprotected => ({
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

/** What a user-managed instance leaves unprotected, by its type. Its protections are off by default. */
export const UNPROTECTED: Readonly<Record<string, (instance: ResourceSubject) => Unprotected>> = {
    [CLB_INSTANCE_TYPE]: clb,
    [CLB_INSTANCE_FORMER_TYPE]: clb,
    [NLB_INSTANCE_TYPE]: nlb,
};

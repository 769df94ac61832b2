/** Rules about the protection of instances from deletion and from changes in the console. */

import { z } from "zod";
import { clbDocument, notesDocument } from "../../provider/schema/documents";
import { type Rule, resourceRule, when } from "../rule";
import type { ResourceSubject, ServiceSubject } from "../subjects";
import { CLB_INSTANCE_FORMER_TYPE, CLB_INSTANCE_TYPE, NLB_INSTANCE_TYPE } from "../../provider/schema/resource-types";
import { selection, selects } from "../rule/config";

type Unprotected = Readonly<Record<"deletion" | "modification", boolean>>;

/** Returns what a Service switches off. The Cloud Controller Manager protects all NLBs it creates anyway. */
function switchedOffBy({ settings, controller, loadBalancerType }: ServiceSubject): Unprotected {
    const ignored = controller === "ccm" && loadBalancerType === "nlb";
    return {
        deletion: !ignored && settings.deleteProtection === "off",
        modification: !ignored && settings.modificationProtection === "NonProtection",
    };
}

const ofClb = (instance: ResourceSubject): Unprotected => ({
    deletion: instance.get("deleteProtection") !== "on",
    modification: instance.get("modificationProtectionStatus") !== "ConsoleProtection",
});

const ENABLED = z.object({ enabled: z.boolean() });
const STATUS = z.object({ status: z.string() });

/** Returns what an NLB leaves unprotected. The plugin has two properties for each protection. */
const ofNlb = (instance: ResourceSubject): Unprotected => ({
    deletion: !(
        instance.get("deletionProtectionEnabled", z.boolean()) ??
        instance.get("deletionProtectionConfig", ENABLED)?.enabled ??
        false
    ),
    modification:
        (instance.get("modificationProtectionStatus") ??
            instance.get("modificationProtectionConfig", STATUS)?.status) !== "ConsoleProtection",
});

/** Describes what a user-managed instance leaves unprotected. Its protections are off by default. */
const described = (unprotected: (instance: ResourceSubject) => Unprotected) => (instance: ResourceSubject) => {
    const { deletion, modification } = unprotected(instance);
    return [
        ...when(deletion, "deletion protection of the instance is not switched on"),
        ...when(modification, "the instance can be changed in the console"),
    ];
};

export const PROTECTION: readonly Rule[] = [
    // Deleting the Service deletes the instance despite its deletion protection, so critical Services need Pulumi's
    // protection as well.
    resourceRule("protection-critical", "critical", "mandatory", {
        title: "Load balancers of critical Services are protected from deletion, in the cloud and in Pulumi.",
        remedy:
            'Remove delete-protection "off" and modification-protection "NonProtection"; give the component or ' +
            "resource the option `protect: true`.",
        source: notesDocument("Notes"),
        options: z.object({
            ...selection("ack-loadbalancer.io/critical=true").shape,
            protect: z
                .boolean()
                .default(false)
                .describe("Whether Pulumi's `protect` is required too. It does not apply to manifests."),
        }),
        service: (service, config) => {
            if (!selects(config, service)) return [];
            const { deletion, modification } = switchedOffBy(service);
            const unasked = config.protect && service.protect === false;
            return [
                ...when(deletion, "deletion protection of its instance is switched off"),
                ...when(modification, "its instance can be changed in the console"),
                ...when(unasked, "Pulumi would delete it without being asked twice (protect is not set)"),
            ].map((what) => `the Service is critical, but ${what}`);
        },
    }),
    // Protections are on by default for Services.
    resourceRule("protection-switched-off", "medium", "advisory", {
        title: "Instances are protected from deletion and from changes in the console.",
        remedy:
            'Remove delete-protection "off" and modification-protection "NonProtection"; on user-managed instances ' +
            "set deleteProtection (NLB: deletionProtectionEnabled) and modificationProtectionStatus.",
        source: clbDocument("Enable deletion protection"),
        service: (service) => {
            const { deletion, modification } = switchedOffBy(service);
            return [
                ...when(deletion, {
                    cause: "deletion protection of the instance is switched off",
                    remedy: 'remove delete-protection "off"',
                }),
                ...when(modification, {
                    cause: "the instance can be changed in the console; what is changed there is lost at the next run",
                    remedy: 'remove modification-protection "NonProtection"',
                }),
            ];
        },
        resources: {
            [CLB_INSTANCE_TYPE]: described(ofClb),
            [CLB_INSTANCE_FORMER_TYPE]: described(ofClb),
            [NLB_INSTANCE_TYPE]: described(ofNlb),
        },
    }),
];

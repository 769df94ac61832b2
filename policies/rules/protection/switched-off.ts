import { clbDocument } from "../../../provider/annotations/sources";
import type { ResourceRule } from "../../rule";
import { INSTANCE_TYPE, OLD_INSTANCE_TYPE } from "../../types";
import type { ResourceSubject } from "../../subjects";

/** Protections are on by default for Services, and off by default for instances that a program makes itself. */
export const switchedOff: ResourceRule = {
    name: "protection-switched-off",
    title: "Instances are protected from deletion and from changes in the console.",
    group: "protection",
    severity: "medium",
    level: "advisory",
    remedy: 'Remove delete-protection "off" and modification-protection "NonProtection"; set deleteProtection and modificationProtectionStatus on instances of your own.',
    source: clbDocument("Enable deletion protection"),
    service: ({ settings }) => [
        ...(settings.deleteProtection === "off" ? ["deletion protection of the instance is switched off"] : []),
        ...(settings.modificationProtection === "NonProtection" ? ["the instance can be changed in the console; what is changed there is lost at the next run"] : []),
    ],
    resources: { [INSTANCE_TYPE]: judge, [OLD_INSTANCE_TYPE]: judge },
};

function judge(instance: ResourceSubject): string[] {
    return [
        ...(instance.get("deleteProtection") === "on" ? [] : ["deletion protection of the instance is not switched on"]),
        ...(instance.get("modificationProtectionStatus") === "ConsoleProtection" ? [] : ["the instance can be changed in the console"]),
    ];
}

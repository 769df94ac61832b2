import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { switchedOffBy, UNPROTECTED, type Unprotected } from "./off";

/** Protections are on by default for Services, and off by default for user-managed instances. */
export const switchedOff: ResourceRule = {
    name: "protection-switched-off",
    title: "Instances are protected from deletion and from changes in the console.",
    group: "protection",
    severity: "medium",
    level: "advisory",
    remedy: 'Remove delete-protection "off" and modification-protection "NonProtection"; on user-managed instances set deleteProtection (NLB: deletionProtectionEnabled) and modificationProtectionStatus.',
    source: clbDocument("Enable deletion protection"),
    service: (service) => {
        const { deletion, modification } = switchedOffBy(service);
        return [
            ...(deletion ? ["deletion protection of the instance is switched off"] : []),
            ...(modification
                ? ["the instance can be changed in the console; what is changed there is lost at the next run"]
                : []),
        ];
    },
    resources: Object.fromEntries(
        Object.entries(UNPROTECTED).map(([type, unprotected]) => [type, (instance) => describe(unprotected(instance))]),
    ),
};

const describe = ({ deletion, modification }: Unprotected): string[] => [
    ...(deletion ? ["deletion protection of the instance is not switched on"] : []),
    ...(modification ? ["the instance can be changed in the console"] : []),
];

/** What a policy pack says about a resource. */
export interface PolicyViolation {
    policy: string;
    pack: string;
    packVersion: string;
    description: string;
    message: string;
    level: "advisory" | "mandatory" | "remediate" | "disabled";
    severity: string;
    urn: string;
}
export interface PolicyRemediation {
    policy: string;
    pack: string;
    packVersion: string;
    description: string;
}
/** Which policies of a pack had nothing to say about a resource, and which had. */
export interface PolicySummary {
    pack: string;
    packVersion: string;
    passed: string[];
    failed: string[];
}

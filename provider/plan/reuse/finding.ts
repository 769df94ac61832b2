/** What may be wrong with the use of an instance that is there already. */
export type ReuseCode =
    | "instance-missing"
    | "instance-of-cluster"
    | "instance-of-api-server"
    | "instance-denied"
    | "instance-locked"
    | "address-type"
    | "ip-version"
    | "vpc"
    | "vpc-unknown"
    | "fixed-setting"
    | "charge-type"
    | "shared-performance"
    | "bound-elsewhere"
    | "name-taken"
    | "listener-of-service"
    | "listener-redirect"
    | "listener-replaced"
    | "listener-taken"
    | "listeners-unmanaged"
    | "group-missing"
    | "group-of-service"
    | "instance-changed";

/** One thing that is wrong (error) or worth knowing (warning). */
export interface ReuseFinding {
    readonly code: ReuseCode;
    readonly severity: "error" | "warning";
    /** The setting that is at odds, by the name of its field in `Settings`; absent where there is none. */
    readonly setting?: string;
    /** What is the matter, and why. */
    readonly message: string;
    /** What to do about it. */
    readonly remedy: string;
    /** Document and section. */
    readonly source: string;
}

/** A finding as one text, the way every refusal of this package reads. */
export function formatFinding({ message, remedy, source }: Pick<ReuseFinding, "message" | "remedy" | "source">): string {
    return `${message}. Remedy: ${remedy}. Source: ${source}.`;
}

const WHICH = 'Notes on service load balancing configuration, "Which load balancers can be reused?"';
const POLICY = 'Notes on service load balancing configuration, "Load balancing update policies"';
const OVERRIDE = 'Configure CLB using annotations, "Use an existing CLB instance and force override listeners"';
const GROUP = 'Configure CLB using annotations, "Reuse an existing vServer group"';
const EXISTING = 'Configure CLB using annotations, "Use an existing CLB instance"';
const FAQ = 'FAQ about Services, "Why does reusing a CLB instance fail?"';

/** The documents that the rules of reuse follow. */
export const SOURCES = { WHICH, POLICY, OVERRIDE, GROUP, EXISTING, FAQ } as const;

import { shortLine } from "../../net/redact";
import { ignoring } from "../../schema/defined";
import { diagnose, formatDiagnosis, type Diagnosis } from "../diagnose";
import type { FailureKind } from "./failure";

export interface CloudFailure extends Pick<
    CloudError,
    "action" | "code" | "kind" | "requestId" | "httpStatus" | "attempts"
> {
    readonly message: string;
    /** Values that must not be shown. */
    readonly secrets?: readonly (string | undefined)[];
}

/** Call that failed for good, or whose tries are used up. The message has cause and remedy, and masks secrets. */
export class CloudError extends Error {
    readonly action: string;
    /** Error code of the cloud, or without an answer that of Node or this client (ECONNREFUSED, READ_TIMEOUT, …). */
    readonly code: string;
    readonly kind: FailureKind;
    readonly requestId?: string;
    readonly httpStatus?: number;
    readonly attempts: number;
    /** Message of the cloud, without secrets. */
    readonly detail: string;
    /** Absent if code and message are unknown, like remedy and source. */
    override readonly cause?: string;
    readonly remedy?: string;
    readonly source?: string;

    constructor(failure: CloudFailure) {
        const text = (said: string): string => shortLine(said, failure.secrets);
        const code = text(failure.code);
        const requestId = failure.requestId && text(failure.requestId);
        const detail = text(failure.message);
        const known = diagnose({ code, message: detail });
        super(sentence({ ...failure, code, requestId }, detail, known));
        this.name = "CloudError";
        this.action = failure.action;
        this.code = code;
        this.kind = failure.kind;
        this.attempts = failure.attempts;
        this.detail = detail;
        this.requestId = requestId;
        this.httpStatus = failure.httpStatus;
        this.cause = known?.cause;
        this.remedy = known?.remedy;
        this.source = known?.source;
    }

    /** True if the cloud may have carried the call out all the same. */
    get uncertain(): boolean {
        return this.kind === "uncertain";
    }
}

function sentence(failure: Omit<CloudFailure, "message">, detail: string, known: Diagnosis | undefined): string {
    const tries = `${failure.attempts} ${failure.attempts === 1 ? "try" : "tries"}`;
    const where = failure.requestId === undefined ? tries : `request id ${failure.requestId}, ${tries}`;
    const lines = [
        `${failure.action} failed: ${failure.code}${detail && detail !== failure.code ? `: ${detail}` : ""} (${where})`,
    ];
    if (failure.kind === "uncertain")
        lines.push("  note: it is not known whether the cloud carried it out; run a refresh before the next update");
    if (known) lines.push(formatDiagnosis(known));
    return lines.join("\n");
}

/** Credentials for previews are often allowed to read only. */
const NOT_PERMITTED = /^(?:Forbidden|NoPermission|User\.NoPermission|AccessDenied)/;

/** True if the cloud refused the request, and not its sender. */
export const isVerdict = ({ code, kind, httpStatus }: CloudError): boolean =>
    kind === "final" && httpStatus !== undefined && !NOT_PERMITTED.test(code);

/** Error responses for a missing object, which they name: a wrong region or InvalidParameter is not a deletion. */
const NOT_FOUND = {
    loadBalancer: {
        code: /^(?:InvalidLoadBalancerId\.NotFound|ResourceNotFound\.loadBalancer)$/,
        message: /LoadBalancerId does not exist/i,
    },
    listener: {
        code: /^(?:InvalidListener\w*\.NotFound|ListenerNotFound|ResourceNotFound\.listener)$/,
        message: /specified resource does not exist|listener does not exist/i,
    },
    serverGroup: {
        code: /^(?:InvalidVServerGroupId\.NotFound|VServerGroupNotExist|ResourceNotFound\.serverGroup)$/i,
        message: /VServerGroup(?:Id)? does not exist/i,
    },
    acl: { code: /^(?:AclNotExist|InvalidAclId\.NotFound)$/, message: /AclId does not exist/i },
    certificate: {
        code: /^(?:ServerCertificateId\.NotFound|CertificateNotExist|InvalidServerCertificateId\.NotFound)$/,
        message: /ServerCertificateId does not exist/i,
    },
    vswitch: { code: /^InvalidVSwitchI[dD]\.NotFound$/i, message: /VSwitch(?:Id)? does not exist/i },
    securityGroup: { code: /^InvalidSecurityGroupId\.NotFound$/, message: /SecurityGroupId does not exist/i },
};

export type NotFoundSubject = keyof typeof NOT_FOUND;

/** True if an error says that there is no such object. A missing load balancer means missing listeners, too. */
function isNotFound(error: unknown, what: NotFoundSubject): boolean {
    if (!(error instanceof CloudError) || error.kind !== "final") return false;
    const matches = ({ code, message }: (typeof NOT_FOUND)[NotFoundSubject]): boolean =>
        code.test(error.code) || message.test(error.detail);
    return matches(NOT_FOUND[what]) || (what === "listener" && matches(NOT_FOUND.loadBalancer));
}

/** Waits for a call and returns its answer, or undefined if the object of the call does not exist. */
export const ignoreNotFound = <Answer>(what: NotFoundSubject, call: Promise<Answer>) =>
    ignoring((error) => isNotFound(error, what), call);

export async function ignoreCodes(codes: readonly string[], call: Promise<unknown>): Promise<void> {
    await ignoring((error) => error instanceof CloudError && codes.includes(error.code), call);
}

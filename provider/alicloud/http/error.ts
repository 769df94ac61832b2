import { redact } from "../../net";
import { diagnose, formatDiagnosis, type Diagnosis } from "../diagnose";
import type { FailureKind } from "./failure";

/** What is known of a failed call. */
export interface CloudFailure {
    readonly action: string;
    /** The cloud's error code, or Node's or this client's own where there was no answer (ECONNREFUSED, READ_TIMEOUT, …). */
    readonly code: string;
    readonly message: string;
    readonly kind: FailureKind;
    readonly requestId?: string;
    readonly httpStatus?: number;
    /** Tries made, at least 1. */
    readonly attempts: number;
    /** Values that must not be shown. */
    readonly secrets?: readonly (string | undefined)[];
}

/**
 * A call that failed for good, or whose tries are used up. The message reads on its own: what failed, why, what to do.
 * Keys, tokens and signatures are masked.
 */
export class CloudError extends Error {
    readonly action: string;
    readonly code: string;
    readonly kind: FailureKind;
    readonly requestId?: string;
    readonly httpStatus?: number;
    readonly attempts: number;
    /** What the cloud said, without secrets. */
    readonly detail: string;
    /** Why it failed, where the code or message is known. */
    override readonly cause?: string;
    /** What to do about it, where known. */
    readonly remedy?: string;
    /** The document that describes the error, where there is one. */
    readonly source?: string;

    constructor(failure: CloudFailure) {
        const detail = redact(failure.message, failure.secrets).trim();
        const known = diagnose({ code: failure.code, message: detail });
        super(sentence(failure, detail, known));
        this.name = "CloudError";
        this.action = failure.action;
        this.code = failure.code;
        this.kind = failure.kind;
        this.attempts = failure.attempts;
        this.detail = detail;
        if (failure.requestId !== undefined) this.requestId = failure.requestId;
        if (failure.httpStatus !== undefined) this.httpStatus = failure.httpStatus;
        if (known) {
            this.cause = known.cause;
            this.remedy = known.remedy;
            this.source = known.source;
        }
    }

    /** True when the cloud may have carried the call out all the same: look before you repeat it. */
    get uncertain(): boolean {
        return this.kind === "uncertain";
    }
}

function sentence(failure: CloudFailure, detail: string, known: Diagnosis | undefined): string {
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

/** Whether the cloud has refused what a request says, and not who sends it. */
export const isVerdict = ({ code, kind, httpStatus }: CloudError): boolean =>
    kind === "final" && httpStatus !== undefined && !NOT_PERMITTED.test(code);

/** What can be looked for by its id. */
export type NotFoundSubject =
    "loadBalancer" | "listener" | "serverGroup" | "acl" | "certificate" | "vswitch" | "securityGroup";

/**
 * What the API says when the object itself is not there. Only what names the object counts: a wrong region or a bare InvalidParameter
 * would otherwise make everything look deleted.
 */
const NOT_FOUND: Readonly<Record<NotFoundSubject, { readonly code: RegExp; readonly message: RegExp }>> = {
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

/** Whether an error says that there is no such object. What hangs on a load balancer is gone too when that is gone. */
export function isNotFound(error: unknown, what: NotFoundSubject): error is CloudError {
    if (!(error instanceof CloudError) || error.kind !== "final") return false;
    const matches = ({ code, message }: (typeof NOT_FOUND)[NotFoundSubject]): boolean =>
        code.test(error.code) || message.test(error.detail);
    return matches(NOT_FOUND[what]) || (what === "listener" && matches(NOT_FOUND.loadBalancer));
}

/** Code of this client for an answer of an undocumented form. */
export const UNEXPECTED_ANSWER = "UnexpectedAnswer";

/** Known error, in the terms of this package, with the symptoms that lead to it. */
export interface DiagnosisRow<Code extends string = string> {
    readonly code: Code;
    readonly cause: string;
    readonly remedy: string;
    /** Document of Alibaba Cloud that describes it. */
    readonly source: string;
    /** Error codes, also where a longer text quotes them, as events of the Cloud Controller Manager do. */
    readonly codes?: readonly (string | RegExp)[];
    readonly messages?: readonly RegExp[];
    /** For texts of the Cloud Controller Manager only: a call of this package with the code means something else. */
    readonly ofController?: true;
}

export const diagnosis = <const Code extends string>(
    code: Code,
    source: string,
    row: Omit<DiagnosisRow, "code" | "source">,
): DiagnosisRow<Code> => ({ code, source, ...row });

// Titles of Alibaba Cloud documents.
export const FAQ =
    'Container Service for Kubernetes, "FAQ about Services", section "Service error messages and solutions"';
export const FAQ_REUSE = 'Container Service for Kubernetes, "FAQ about Services", section on reusing a load balancer';
export const FAQ_PERMISSIONS =
    'Container Service for Kubernetes, "FAQ about Services", section on permissions of ACK dedicated clusters';
export const ANNOTATIONS_DOCUMENT = 'Container Service for Kubernetes, "Configure CLB using annotations"';
export const CLB_API = "Classic Load Balancer, API reference 2014-05-15, error codes";
export const CLB_QUOTAS = 'Classic Load Balancer, "Limits and quotas"';
export const OPENAPI = 'Alibaba Cloud OpenAPI, "Request structure and signature"';
export const RAM = 'Resource Access Management, "Policy structure and syntax"';

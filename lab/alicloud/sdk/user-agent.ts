import { randomUUID } from "node:crypto";
import type { Clock } from "./clock";

const trace = randomUUID();

/** A user agent like the real plugin's. */
export const userAgent = (core: string): string =>
    `AlibabaCloud (linux; amd64) Golang/1.26.8 ${core} ` +
    "HashiCorp-Terraform/0.11+compatible Terraform-Provider/1.285.0 " +
    `Terraform-Module/Default/${trace} TerraformTraceId/${trace}`;

/**
 * With LAB_ALICLOUD_TRACE set, requests tell in `x-lab-waited` how many seconds the plugin would have slept before
 * them. The conformance harness compares this with the recorded pauses.
 */
export function traceHeaders(clock: Clock): Record<string, string> {
    const slept = clock.takeSlept();
    return process.env["LAB_ALICLOUD_TRACE"] === undefined ? {} : { "x-lab-waited": String(slept) };
}

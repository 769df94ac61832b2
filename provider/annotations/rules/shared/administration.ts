/** Tags and preservation that do not do what they seem to. */

import { compatibilityOf } from "../../../schema/facts";
import { isAtLeast } from "../../../schema/versions";
import { collector, diagnostic } from "../../../diagnostics";
import { quote } from "../../../net/redact";
import { clbDocument } from "../../../schema/documents";
import { keyOf, type Rule } from "../context";

/** Tags by which the owner of an instance is recognised. */
export const SYSTEM_TAGS: readonly string[] = [
    "kubernetes.do.not.delete",
    "ack.aliyun.com",
    "kubernetes.reused.by.user",
];

const TAGS_ON_REUSED_SINCE = "v2.10.0";

export const tags: Rule = ({ settings, facts }) => {
    const report = collector("annotation-value");
    for (const key of Object.keys(settings.additionalResourceTags ?? {})) {
        if (!SYSTEM_TAGS.includes(key)) continue;
        report.error(
            "additionalResourceTags",
            `the tag "${key}" marks the owner of the instance and cannot be set`,
            `remove "${key}" from the tags`,
            { source: clbDocument("Preserve the CLB instance when deleting a Service") },
        );
    }
    if (
        settings.additionalResourceTags !== undefined &&
        settings.id !== undefined &&
        !isAtLeast(compatibilityOf(facts), TAGS_ON_REUSED_SINCE)
    ) {
        report.error(
            "additionalResourceTags",
            `an existing instance can be tagged from Cloud Controller Manager ${TAGS_ON_REUSED_SINCE} on; the cluster is at ${compatibilityOf(facts)}`,
            `remove ${keyOf("additionalResourceTags")}, or upgrade the Cloud Controller Manager`,
            { code: "annotation-exclusion", source: clbDocument("Use an existing CLB instance") },
        );
    }
    return report.diagnostics;
};

/** Any text preserves, also one that sounds like "no". */
export const preservation: Rule = ({ settings }) => {
    const value = settings.preserveLbOnDelete;
    if (value === undefined || !/^(?:|false|off|no|0)$/i.test(value.trim())) return [];
    return [
        diagnostic({
            code: "annotation-effect",
            severity: "warning",
            about: "preserveLbOnDelete",
            cause: `any text preserves the instance, even ${quote(value)}`,
            remedy: `remove the annotation to delete the instance with the Service, or write "true" to keep it`,
            source: clbDocument("Preserve the CLB instance when deleting a Service"),
        }),
    ];
};

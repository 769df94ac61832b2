import { clbDocument, faqDocument, RELEASE_NOTES } from "../../../schema/documents";
import { compatibilityOf } from "../../../schema/facts";
import { isAtLeast, SHARING_SINCE } from "../../../schema/versions";
import { rowsOf } from "../catalogue";
import { rule } from "./context";

const ZERO_WEIGHT_SINCE = "v2.1.0";
const SEVERAL_LISTS_SINCE = "v2.11.1";

/** Refuses what the Cloud Controller Manager of the cluster does not support yet. */
export const supportedVersion = rule("annotation-version", RELEASE_NOTES, (context, report) => {
    const { type, settings, attempted, facts } = context;
    const current = compatibilityOf(facts);
    for (const row of rowsOf(type)) {
        if (!attempted.has(row.field) || isAtLeast(current, row.since)) continue;
        const cause = `needs Cloud Controller Manager ${row.since} or later, but the cluster is at ${current}`;
        const remedy = "upgrade the Cloud Controller Manager, or remove the annotation";
        report.error(row.field, cause, remedy, { part: "key", source: row.source });
    }
    if (type !== "clb") return;
    if (settings.weight === 0 && !isAtLeast(current, ZERO_WEIGHT_SINCE)) {
        const cause =
            `a weight of 0 needs Cloud Controller Manager ${ZERO_WEIGHT_SINCE} or later, ` +
            `but the cluster is at ${current}`;
        report.error("weight", cause, "upgrade the Cloud Controller Manager, or write 1 or more");
    }
    if (settings.aclId?.includes(",")) {
        if (isAtLeast(current, SEVERAL_LISTS_SINCE))
            report.warning(
                "aclId",
                "several access control lists are named, which the document does not support; the release notes " +
                    `and the API do, from Cloud Controller Manager ${SEVERAL_LISTS_SINCE} on`,
                "keep one list, with the entries of all, if the document is to count",
                { code: "annotation-effect", source: clbDocument("Configure an access control list") },
            );
        else {
            const cause =
                `several access control lists need Cloud Controller Manager ${SEVERAL_LISTS_SINCE} or later, ` +
                `but the cluster is at ${current}`;
            report.error("aclId", cause, "upgrade the Cloud Controller Manager, or keep one list");
        }
    }
    if (settings.id !== undefined && !isAtLeast(current, SHARING_SINCE)) {
        const cause =
            `before Cloud Controller Manager ${SHARING_SINCE} only one Service can use an existing instance; ` +
            `the cluster is at ${current}`;
        const remedy = "upgrade the Cloud Controller Manager before a second Service uses the instance";
        report.warning("id", cause, remedy, { source: faqDocument("Why does reusing a CLB instance fail?") });
    }
});

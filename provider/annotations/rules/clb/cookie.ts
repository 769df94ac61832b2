/** Names of cookies that keep sessions. */

import { diagnostic } from "../../../diagnostics";
import { clbDocument } from "../../../schema/documents";
import type { Rule } from "../context";

/** The document allows letters and digits, and shows a hyphen. */
export const cookie: Rule = ({ settings }) => {
    if (settings.cookie === undefined || /^[A-Za-z0-9_-]+$/.test(settings.cookie)) return [];
    return [
        diagnostic({
            code: "annotation-effect",
            severity: "warning",
            about: "cookie",
            cause: 'the cloud may refuse cookie names with other characters than letters, digits, "_" and "-"',
            remedy: "rename the cookie",
            source: clbDocument("Configure session persistence for HTTP and HTTPS listeners"),
        }),
    ];
};

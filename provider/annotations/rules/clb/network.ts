/** The network that an instance is made in. */

import { diagnostic } from "../../../diagnostics";
import { anyRowOf } from "../../catalogue";
import { keyOf, type Rule } from "../context";

export const networkType: Rule = ({ settings }) => {
    if (settings.networkType !== "classic") return [];
    return [
        diagnostic({
            code: "annotation-unsupported",
            severity: "error",
            about: "networkType",
            cause: "the classic network has been retired: load balancers are made in VPCs only",
            remedy: `remove ${keyOf("networkType")}`,
            source: anyRowOf("networkType").source,
        }),
    ];
};

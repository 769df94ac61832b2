/** Reports for tests, of any size, without a preview. */

import type { GroupReport, Report, SubjectReport } from "../../cli/report/model";
import type { Change } from "../../cli/report/step";

/** A backend of many with equal weights. */
export const backend = (index: number, change: Change, of: number): GroupReport["backends"][number] => {
    const share = { weight: 1, share: Math.round(1000 / of) / 10 };
    return {
        key: `10.0.${Math.floor(index / 250)}.${index % 250}:8080`,
        name: null,
        change,
        before: change === "create" ? null : share,
        after: change === "delete" ? null : share,
    };
};

/** A Service behind a CLB with listeners and as many backends in each group. */
export function subject(name: string, backends: number, change: Change = "update", listeners = 1): SubjectReport {
    const keys = Array.from({ length: listeners }, (_, index) => `tcp-${80 + index}`);
    return {
        subject: `Service shop/${name}`,
        verdict: change === "same" ? "nothing" : change === "create" ? "creates" : "backends-only",
        protected: false,
        refused: false,
        loadBalancer: {
            kind: "clb",
            origin: "created",
            change: change === "create" ? "create" : "same",
            id: "lb-bp1o94dp5i6earr9g6d1l",
            before: { value: "203.0.113.11", public: true },
            after: { value: "203.0.113.11", public: true },
            fields: [],
        },
        listeners: keys.map((key) => ({
            key,
            change: change === "create" ? "create" : "same",
            before: { protocol: "tcp", port: key.slice(4) },
            after: { protocol: "tcp", port: key.slice(4) },
            group: key,
            fields: [],
        })),
        groups: keys.map((key) => ({
            key,
            change: change === "create" ? "create" : "same",
            id: "rsp-bp1ckxt5xg2nn",
            origin: "created",
            synced: false,
            fields: [],
            pending: null,
            backends: Array.from({ length: backends }, (_, index) => backend(index, change, backends)),
        })),
        others: [],
        notices: [
            {
                about: "backends of tcp-80",
                effect: "new connections are shared by other weights",
                duration: "no interruption",
            },
        ],
        userManaged: [],
        findings: [],
        billing: [],
    };
}

/** A report on such Services. */
export const reportOf = (subjects: readonly SubjectReport[]): Report => ({
    version: 1,
    project: "shop",
    stack: "prod",
    verdict: subjects[0]?.verdict ?? "nothing",
    complete: true,
    failed: false,
    losses: [],
    subjects,
    findings: [],
});

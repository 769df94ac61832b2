/** Services that leave the stack and release a public address, from a saved preview. */

import { buildReport } from "../../provider/report";
import { SERVICE_TYPE } from "../../provider/schema/resource-types";
import type { RemovedService } from "../../policies/rule";
import { TEXTS } from "../../policies/subjects";
import type { PreviewDigest } from "./preview";
import { stepsOf } from "./steps";

/** The Services in the order of the preview. One whose load balancer stays releases nothing. */
export function removedServices(digest: PreviewDigest): RemovedService[] {
    const steps = stepsOf(digest);
    const { losses, subjects } = buildReport({ steps });
    return steps.flatMap(({ type, before, after }) => {
        const name = before?.inputs["service"];
        if (type !== SERVICE_TYPE || before === undefined || after !== undefined || typeof name !== "string") return [];
        const subject = `Service ${name}`;
        const loss = losses.find((one) => one.subject === subject);
        const gone = subjects.some((one) => one.subject === subject && one.verdict === "deletes");
        if (loss === undefined || !gone) return [];
        const { address, cause, remedy } = loss;
        const labels = TEXTS.safeParse(before.inputs["labels"]).data ?? {};
        return [{ name, labels, protect: before.protect, address, cause, remedy }];
    });
}

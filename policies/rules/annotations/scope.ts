import { CLB_INTRODUCTION } from "../../../provider/annotations/sources";
import type { ResourceRule } from "../../rule";
import { findings } from "./issues";

/** An annotation without anything to work on, which its author may take for a protection. */
export const scope: ResourceRule = {
    name: "annotations-scope",
    title: "No annotation is set for listeners or backends that the Service does not have.",
    group: "annotations",
    severity: "low",
    level: "advisory",
    remedy: "Remove the annotation, or give the Service such a listener by protocol-port.",
    source: CLB_INTRODUCTION,
    service: (service) => findings(service, "annotations-scope"),
};

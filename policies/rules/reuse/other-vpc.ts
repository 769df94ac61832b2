import { notesDocument } from "../../../provider/annotations/sources";
import type { ResourceRule } from "../../rule";
import { verdicts } from "./verdicts";

/** A CLB reaches backends of its own VPC alone. */
export const otherVpc: ResourceRule = {
    name: "reuse-other-vpc",
    title: "An internal instance is in the VPC of the cluster.",
    group: "reuse",
    severity: "high",
    level: "mandatory",
    remedy: "Name an internal instance of the cluster's VPC.",
    source: notesDocument("Which load balancers can be reused?"),
    resources: verdicts(["vpc"]),
};

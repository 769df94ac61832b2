/** Rules about the reuse of instances: most select what a Service's contract says of its instance. */

import { z } from "zod";
import { isMapping, type ReuseCode } from "../../provider/diagnostics";
import type { ObservedLoadBalancer } from "../../provider/schema/observed";
import type { ReuseRequest } from "../../provider/service/reuse";
import { checkReuse } from "../../provider/plan/reuse";
import { recordedRequest } from "../../provider/plan/reuse/changes";
import { clbDocument, notesDocument } from "../../provider/schema/documents";
import type { CheckResult, Level, ResourceRule, Rule, RuleName, RuleOptions, SourcedRow } from "../rule";
import { resourceRule, when } from "../rule";
import { matches } from "../rule/evaluate";
import { type ResourceSubject, TEXT_LIST } from "../subjects";
import { CONTRACT_TYPE } from "../../provider/schema/resource-types";
import { changesOf } from "./immutability";
import { names, portClaimed, REUSABLE } from "./reuse/tenants";
import { defined } from "../../provider/schema/defined";

/** The record in a contract: the request for an instance, and the instance as it was observed. */
const RECORDED = z.object({
    request: z.custom<ReuseRequest>(isMapping).exactOptional(),
    wish: z.custom<ReuseRequest>(isMapping).exactOptional(),
    found: z.custom<ObservedLoadBalancer>(isMapping).exactOptional(),
});

/** Makes a rule that selects the diagnostics of a contract's instance with these codes. */
const contractRule = <Options extends RuleOptions>(
    name: RuleName,
    severity: Rule["severity"],
    level: Level,
    codes: readonly ReuseCode[],
    row: SourcedRow<ResourceRule<Options>>,
): ResourceRule<Options> => {
    const check = (contract: ResourceSubject): CheckResult[] => {
        const reuse = contract.get("reuse", RECORDED);
        const request = recordedRequest(reuse);
        if (request === undefined) return [];
        return checkReuse(request, reuse?.found)
            .filter(({ code }) => codes.includes(code))
            .map(({ cause, remedy }) => ({ cause, ...defined({ remedy }) }));
    };
    return resourceRule(name, severity, level, { source: REUSABLE, ...row, resources: { [CONTRACT_TYPE]: check } });
};

export const REUSE: readonly Rule[] = [
    // Without the annotation a Service requests an Internet-facing instance.
    contractRule("reuse-address-type", "high", "mandatory", ["address-type", "ip-version"], {
        title: "A reused instance has the address type and IP version that the Service requests.",
        remedy: "Set address-type and ip-version to those of the instance, or name another instance.",
    }),
    // A cluster whose API server loses its instance has to be created again.
    contractRule("reuse-api-server", "critical", "mandatory", ["instance-of-api-server", "instance-denied"], {
        title: "No Service uses the instance of an API server, or one that the platform team denies.",
        remedy: "Name another instance.",
        options: z.object({
            denied: TEXT_LIST.default([]).describe("Ids of instances that no Service may use; `*` matches any text."),
        }),
        service: ({ settings }, config) =>
            when(
                settings.id !== undefined && matches(settings.id, config.denied),
                `load balancer ${settings.id} is on the list of instances that no Service may use`,
            ),
    }),
    // A Service that moves to another instance does not release the former one.
    resourceRule("reuse-changed", "critical", "mandatory", {
        title:
            "A Service keeps its instance: alibaba-cloud-loadbalancer-id is not added, changed or removed once the " +
            "Service has a load balancer.",
        remedy: "Restore alibaba-cloud-loadbalancer-id; to move, delete the Service and create it again.",
        source: REUSABLE,
        ...changesOf((field) => field === "id"),
    }),
    // Others use the attributes and tags of the instance too.
    contractRule(
        "reuse-consequences",
        "medium",
        "advisory",
        ["instance-changed", "listeners-unmanaged", "vpc-unknown", "vpc-crossed"],
        {
            title:
                "A reuse changes no attribute or tag of the instance, and manages every listener that the Service " +
                "needs.",
            remedy: "Remove the annotations that change the instance, or list the Service in this rule's `except`.",
            source: notesDocument("Load balancing update policies"),
        },
    ),
    // The annotation replaces user-managed listeners on the Service's ports.
    contractRule("reuse-force-override", "high", "advisory", ["listener-replaced"], {
        title: "Listeners of a reused instance are managed only where nothing else uses their ports.",
        remedy:
            'Set force-override-listeners to "false" and create the listeners yourself, unless the existing ones ' +
            "are no longer needed.",
        source: clbDocument("Use an existing CLB instance and force override listeners"),
    }),
    // A vServer group that is managed for a Service is deleted with it.
    contractRule("reuse-groups", "high", "mandatory", ["group-missing", "group-of-service", "group-unfit"], {
        title: "The vServer groups that a Service joins exist and are user-managed.",
        remedy: "Create a vServer group in the console or in a program, and name it.",
        source: clbDocument("Reuse an existing vServer group"),
    }),
    // Such an instance is deleted with the Service for which it was created.
    contractRule("reuse-made-by-cluster", "critical", "mandatory", ["instance-of-cluster"], {
        title: "No Service reuses an instance that a cluster created.",
        remedy: "Create an instance in the console or in a program, and name it.",
    }),
    contractRule("reuse-missing-instance", "high", "mandatory", ["instance-missing"], {
        title: "The instance that a Service names exists.",
        remedy: "Correct alibaba-cloud-loadbalancer-id, or create the instance first.",
    }),
    names,
    // Ownership marks say for which Service an existing listener or server group is managed.
    contractRule(
        "reuse-occupied",
        "critical",
        "mandatory",
        ["name-taken", "listener-of-service", "listener-redirect"],
        {
            title: "Each server group name and listener on a reused instance is used by one Service only.",
            remedy: "Use another port, another name, or another instance.",
        },
    ),
    // A CLB reaches backends of its own VPC only.
    contractRule("reuse-other-vpc", "high", "mandatory", ["vpc"], {
        title: "A reused internal CLB is in the VPC of the cluster; an NLB may be in another.",
        remedy: "Name an internal CLB of the cluster's VPC, or an NLB.",
    }),
    portClaimed,
    // Immutable fields cannot be requested afterwards; a locked instance cannot be changed.
    contractRule(
        "reuse-unfit-instance",
        "high",
        "mandatory",
        ["instance-locked", "fixed-setting", "charge-type", "shared-performance", "bound-elsewhere"],
        {
            title: "A reused instance meets what the Service requests.",
            remedy: "Remove the annotation that requests something else, or name another instance.",
        },
    ),
];

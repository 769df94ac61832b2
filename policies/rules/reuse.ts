/** Rules about the reuse of instances: most select what a Service's contract says of its instance. */

import { z } from "zod";
import { isMapping, type ReuseCode } from "../../provider/diagnostics";
import type { ObservedLoadBalancer } from "../../provider/schema/observed";
import type { ReuseRequest } from "../../provider/service/reuse";
import { checkReuse } from "../../provider/plan/reuse";
import { recordedRequest } from "../../provider/plan/reuse/former-tags";
import { clbDocument, notesDocument } from "../../provider/schema/documents";
import { type CheckResult, type Rule, resourceRule } from "../rule";
import { matches } from "../rule/evaluate";
import type { ResourceSubject } from "../subjects";
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

/** Checks contracts for the diagnostics with these codes. */
const diagnosticsOf = (...codes: readonly ReuseCode[]) => ({
    [CONTRACT_TYPE]: (contract: ResourceSubject): CheckResult[] => {
        const reuse = contract.get("reuse", RECORDED);
        const request = recordedRequest(reuse);
        if (request === undefined) return [];
        return checkReuse(request, reuse?.found)
            .filter(({ code }) => codes.includes(code))
            .map(({ cause, remedy }) => ({ cause, ...defined({ remedy }) }));
    },
});

export const REUSE: readonly Rule[] = [
    // Without the annotation a Service requests an Internet-facing instance.
    resourceRule("reuse-address-type", "high", "mandatory", {
        title: "A reused instance has the address type and IP version that the Service requests.",
        remedy: "Set address-type and ip-version to those of the instance, or name another instance.",
        source: REUSABLE,
        resources: diagnosticsOf("address-type", "ip-version"),
    }),
    // A cluster whose API server loses its instance has to be created anew.
    resourceRule("reuse-api-server", "critical", "mandatory", {
        title: "No Service uses the instance of an API server, or one that the platform team denies.",
        remedy: "Name another instance.",
        source: REUSABLE,
        options: z.object({
            denied: z
                .array(z.string())
                .default([])
                .describe("Ids of instances that no Service may use; `*` matches any text."),
        }),
        service: ({ settings }, config) =>
            settings.id !== undefined && matches(settings.id, config.denied)
                ? [`load balancer ${settings.id} is on the list of instances that no Service may use`]
                : [],
        resources: diagnosticsOf("instance-of-api-server", "instance-denied"),
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
    resourceRule("reuse-consequences", "medium", "advisory", {
        title:
            "A reuse changes no attribute or tag of the instance, and manages every listener that the Service " +
            "needs.",
        remedy: "Remove the annotations that change the instance, or list the Service in this rule's `except`.",
        source: notesDocument("Load balancing update policies"),
        resources: diagnosticsOf("instance-changed", "listeners-unmanaged", "vpc-unknown", "vpc-crossed"),
    }),
    // The annotation replaces user-managed listeners on the Service's ports.
    resourceRule("reuse-force-override", "high", "advisory", {
        title: "Listeners of a reused instance are managed only where nothing else uses their ports.",
        remedy:
            'Set force-override-listeners to "false" and create the listeners yourself, unless the existing ones ' +
            "are no longer needed.",
        source: clbDocument("Use an existing CLB instance and force override listeners"),
        service: ({ settings, ports }) => {
            if (settings.id === undefined || settings.forceOverrideListeners !== "true") return [];
            const taken = ports.map(({ port }) => port).join(", ");
            const place = `port ${taken} of load balancer ${settings.id}`;
            return [`force-override-listeners is "true": whatever listens on ${place} is replaced`];
        },
        resources: diagnosticsOf("listener-replaced"),
    }),
    // A vServer group that is managed for a Service is deleted with it.
    resourceRule("reuse-groups", "high", "mandatory", {
        title: "The vServer groups that a Service joins exist and are user-managed.",
        remedy: "Create a vServer group in the console or in a program, and name it.",
        source: clbDocument("Reuse an existing vServer group"),
        resources: diagnosticsOf("group-missing", "group-of-service", "group-unfit"),
    }),
    // Such an instance is deleted with the Service for which it was created.
    resourceRule("reuse-made-by-cluster", "critical", "mandatory", {
        title: "No Service reuses an instance that a cluster created.",
        remedy: "Create an instance in the console or in a program, and name it.",
        source: REUSABLE,
        resources: diagnosticsOf("instance-of-cluster"),
    }),
    resourceRule("reuse-missing-instance", "high", "mandatory", {
        title: "The instance that a Service names exists.",
        remedy: "Correct alibaba-cloud-loadbalancer-id, or create the instance first.",
        source: REUSABLE,
        resources: diagnosticsOf("instance-missing"),
    }),
    names,
    // Ownership marks say for which Service an existing listener or server group is managed.
    resourceRule("reuse-occupied", "critical", "mandatory", {
        title: "Each server group name and listener on a reused instance is used by one Service only.",
        remedy: "Use another port, another name, or another instance.",
        source: REUSABLE,
        resources: diagnosticsOf("name-taken", "listener-of-service", "listener-redirect"),
    }),
    // A CLB reaches backends of its own VPC only.
    resourceRule("reuse-other-vpc", "high", "mandatory", {
        title: "A reused internal CLB is in the VPC of the cluster; an NLB may be in another.",
        remedy: "Name an internal CLB of the cluster's VPC, or an NLB.",
        source: REUSABLE,
        resources: diagnosticsOf("vpc"),
    }),
    portClaimed,
    // Immutable fields cannot be requested afterwards; a locked instance cannot be changed.
    resourceRule("reuse-unfit-instance", "high", "mandatory", {
        title: "A reused instance meets what the Service requests.",
        remedy: "Remove the annotation that requests something else, or name another instance.",
        source: REUSABLE,
        resources: diagnosticsOf(
            "instance-locked",
            "fixed-setting",
            "charge-type",
            "shared-performance",
            "bound-elsewhere",
        ),
    }),
];

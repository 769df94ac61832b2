/** Rules about the life of a Service: its definition, its type and its end. */

import type { Position } from "../../provider/diagnostics";
import { clbDocument, notesDocument } from "../../provider/schema/documents";
import { CCM_FINALIZERS } from "../../provider/service/controller";
import { eachService, resourceRule, type Rule, stackRule, when } from "../rule";
import { diagnosticRule, diagnosticsOf } from "./annotations";

export const LIFECYCLE: readonly Rule[] = [
    // A list in a manifest replaces the list in the cluster.
    resourceRule("lifecycle-finalizers", "high", "mandatory", {
        title: "The finalizer of the Cloud Controller Manager stays on its Services.",
        remedy: "Leave metadata.finalizers out, or include the controller's finalizer.",
        source: notesDocument("Notes"),
        service: ({ finalizers: listed, controller, loadBalancerType, before }) => {
            const finalizer = CCM_FINALIZERS[loadBalancerType];
            const lost = listed === undefined ? before?.finalizers?.includes(finalizer) : !listed.includes(finalizer);
            return when(
                controller === "ccm" && lost === true,
                `metadata.finalizers leaves out "${finalizer}": the cloud resources of the Service would not ` +
                    "be released when it is deleted",
            );
        },
    }),
    // A preserved instance is released when its Service is deleted. A Service whose type changes back may attach to it.
    resourceRule("lifecycle-preserve", "high", "mandatory", {
        title:
            "The annotation preserve-lb-on-delete is set where it takes effect: when the Service is deleted, not " +
            "when its type changes.",
        remedy:
            "Delete the Service instead of changing its type; remove the annotation to have the instance deleted " +
            "with the Service.",
        source: clbDocument("Preserve the CLB instance when deleting a Service"),
        anyType: true,
        service: (service) =>
            when(
                service.type !== "LoadBalancer" && service.settings.preserveLbOnDelete !== undefined,
                `preserve-lb-on-delete is set, but the type is ${service.type}: a change of the type is no ` +
                    "deletion, and the Service may attach to the preserved instance again",
            ),
    }),
    // Any text preserves, by the documents, but "false" may mean the opposite.
    diagnosticRule("lifecycle-preserve-value", "medium", "advisory", {
        title:
            'The annotation preserve-lb-on-delete does not say "false" or the like: any text preserves the ' +
            "instance.",
        remedy: 'Remove the annotation to have the instance deleted with the Service, or write "true" to keep it.',
        source: clbDocument("Preserve the CLB instance when deleting a Service"),
    }),
    // If two manifests have the same Service, the manifest that is applied last wins, and the order is not defined.
    stackRule("lifecycle-twice", "high", "mandatory", {
        title: "A Service is defined once in a program or in a folder of manifests.",
        remedy: "Remove one of the two definitions.",
        source: "Kubernetes names are unique in their namespace",
        stack: (stack) => {
            const seen = new Map<string, Position | undefined>();
            return eachService(stack, ({ name, facts, at }) => {
                const key = `${facts.clusterId} ${name}`;
                const isSecond = seen.has(key);
                const first = seen.get(key);
                if (!isSecond) seen.set(key, at);
                const place = first === undefined ? "" : `, here and at ${first.file}:${first.line}`;
                return when(isSecond, { cause: `the Service is defined twice${place}` });
            });
        },
    }),
    // A Service of another type gets no load balancer, and a Service whose type changes loses it.
    resourceRule("lifecycle-type", "high", "advisory", {
        title: "A Service with load balancer annotations has the type LoadBalancer and keeps it.",
        remedy: "Set spec.type to LoadBalancer, or remove the annotations.",
        source: notesDocument("Notes"),
        anyType: true,
        service: (service) => {
            const { before } = service;
            if (before?.type !== "LoadBalancer" || service.type === "LoadBalancer")
                return service.annotated ? diagnosticsOf(service, "lifecycle-type") : [];
            const kept = before.settings.id === undefined ? "is deleted with it" : "stays, without its listeners";
            return [
                `the type changes from LoadBalancer to ${service.type}: the Service can no longer be reached ` +
                    `through its load balancer, which ${kept}`,
            ];
        },
    }),
];

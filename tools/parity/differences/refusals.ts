/** What is refused before anything is touched, and CCM tries. */
import { type KnownDifference, refusedAnnotation, refusedFor } from "../found";

/** Annotations of CCM that the documents do not have. */
const UNDOCUMENTED = [
    "backend-ip-version",
    "class",
    "default-weight",
    "external-ip-type",
    "network-type",
    "tunnel-type",
    "type",
];

export const REFUSAL_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "Undocumented annotations are refused",
        reason: "CCM acts on annotations that no document describes. A Service that carries one is refused and the annotation named, so that nobody relies on what is not there; nothing is touched.",
        explains: ({ result }) => refusedAnnotation(result, UNDOCUMENTED),
    },
    {
        title: "Values that the documents do not allow are refused",
        reason: "They are found before anything is touched, all at once and with their place. CCM passes them to the cloud, reads them as something else or ignores them. Upper and lower case count, as the documents say.",
        explains: ({ result }) => refusedFor(result, "annotation-value", "annotation-placeholder"),
    },
    {
        title: "Annotations that need another one, or exclude one, are refused",
        reason: "The documents say which belong together. CCM takes each for itself, so that half of a setting silently does nothing.",
        explains: ({ result }) =>
            refusedFor(result, "annotation-companion", "annotation-exclusion", "annotation-scope"),
    },
    {
        title: "protocol-port and forward-port must fit the ports of the Service",
        reason: "An entry has to name a port of the Service, once, and with its transport protocol: a UDP listener in front of a TCP port would reach nothing. CCM ignores stray entries and makes such listeners.",
        explains: ({ result }) => refusedFor(result, "annotation-port"),
    },
    {
        title: "Unknown annotations are refused",
        reason: "A key with the prefix of load balancer annotations that names none is a typing error. CCM ignores it.",
        explains: ({ result }) => refusedFor(result, "annotation-unknown"),
    },
    {
        title: "A Service for another controller is refused",
        reason: "A Service that a program hands to this package and that names another controller's loadBalancerClass is a contradiction; it is told. CCM passes it over in silence.",
        explains: ({ result }) => refusedFor(result, "service-class"),
    },
    {
        title: "Ports that no CLB listener can serve are refused at once",
        reason: "CCM makes the instance first and fails at the listener.",
        explains: ({ result }) => refusedFor(result, "service-port", "service-field"),
    },
    {
        title: "Settings that an instance cannot change are refused",
        reason: "The run stops before anything is touched and names the way out. CCM ignores some of these changes and reports others after it has made the rest; a removed annotation counts as a change to its default.",
        explains: ({ result }) => refusedFor(result, "contract"),
    },
];

/** Differences from a refusal before anything is touched, where CCM makes an attempt. */
import { type KnownDifference, refusedFor } from "../context";

export const REFUSAL_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "The classic network is refused",
        reason: "It has been retired. CCM creates an instance in the VPC and reports the annotation when it changes.",
        explains: ({ result }) => refusedFor(result, "annotation-unsupported"),
    },
    {
        title: "Values that are not documented are refused",
        reason:
            "All of them are reported at once, with their position, before anything is changed. CCM sends them " +
            "to the cloud, reads them differently or ignores them. Values are case-sensitive, as documented, but " +
            "for those that CCM compares without case.",
        explains: ({ result }) => refusedFor(result, "annotation-value", "annotation-placeholder"),
    },
    {
        title: "Incompatible and incomplete annotations are refused",
        reason:
            "The documents define which annotations depend on or exclude each other. CCM reads each one " +
            "separately, and an incomplete setting has no effect.",
        explains: ({ result }) =>
            refusedFor(result, "annotation-companion", "annotation-exclusion", "annotation-scope"),
    },
    {
        title: "protocol-port and forward-port must fit the ports of the Service",
        reason:
            "An entry has to name a port of the Service, once, and with its transport protocol: a UDP listener " +
            "for a TCP port would reach no backend. CCM ignores other entries and creates such listeners.",
        explains: ({ result }) => refusedFor(result, "annotation-port"),
    },
    {
        title: "Unknown annotations are refused",
        reason: "An unknown key with the prefix of load balancer annotations is a typing error. CCM ignores it.",
        explains: ({ result }) => refusedFor(result, "annotation-unknown"),
    },
    {
        title: "Ports that a CLB listener cannot serve are refused at preview",
        reason: "CCM creates the instance first and fails at the listener.",
        explains: ({ result }) => refusedFor(result, "service-port", "service-field"),
    },
    {
        title: "Changes of immutable fields are refused",
        reason:
            "The run stops before anything is changed and names the remedy. CCM ignores some of these changes and " +
            "reports others after it made all other changes; a removed annotation counts as a change to its default.",
        explains: ({ result }) => refusedFor(result, "contract"),
    },
];

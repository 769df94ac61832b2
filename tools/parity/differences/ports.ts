/** Ports, groups and certificates. */
import { annotated, type DifferenceContext, type KnownDifference, subject } from "../context";

export const PORT_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "Ports with the same nodePort have separate server groups",
        reason:
            "A TCP and a UDP port may have the same nodePort, and then both server groups have the same name. CCM " +
            "creates one server group for both.",
        explains: (context) =>
            /^group \S+$/.test(context.difference.where) &&
            context.difference.actual === "present" &&
            context.step.expect.cloud.serverGroups.some(({ name }) => context.difference.where === `group ${name}`),
    },
    {
        title: "Blanks around the entries of a list are ignored",
        reason:
            "They are read as the documents write them in some annotations. CCM trims the entries of " +
            "additional-resource-tags and domain-extensions only; in the others, such as protocol-port, it fails or " +
            "does not find the entry.",
        explains: (context) =>
            (context.difference.where === "outcome" || context.step.expect.error !== null || isListener(context)) &&
            UNTRIMMED.some((suffix) => / ,|, /.test(annotated(context, suffix) ?? "")),
    },
    {
        title: "An http entry of protocol-port applies to the TCP port",
        reason:
            "A Service with TCP and UDP on one port keeps its UDP listener. " +
            "CCM turns both into HTTP, and the second fails.",
        explains: (context) => sharesPort(context) && /^(?:outcome|listener )/.test(context.difference.where),
    },
    {
        title: "The certificate of a domain extension can be changed",
        reason: "CCM sends the old certificate and no id, and fails in every reconcile.",
        explains: ({ difference, step }) =>
            /SetDomainExtensionAttribute/.test(step.expect.error ?? "") &&
            (difference.where === "outcome" || difference.where.startsWith("domain ")),
    },
];

/** Lists whose entries CCM takes with the blanks around them. */
const UNTRIMMED = ["protocol-port", "forward-port", "vgroup-port", "acl-id", "zone-maps", "security-group-ids"];

const isListener = ({ difference }: DifferenceContext): boolean => difference.where.startsWith("listener ");

/** Reports whether a TCP and a UDP port have the same number, and protocol-port names it. */
function sharesPort(context: DifferenceContext): boolean {
    const numbers = (subject(context).spec?.ports ?? []).map(({ port }) => port);
    return new Set(numbers).size < numbers.length && annotated(context, "protocol-port") !== undefined;
}

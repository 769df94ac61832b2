/** Checks of things that a Service uses, besides its own objects: certificates and shared bandwidth. */

import { clbDocument, nlbDocument } from "../../provider/schema/documents";
import { certificatesOf } from "../inspect/cloud";
import type { InspectedService } from "../inspect/model";
import { aside, broken, type Examine, type Explanation, suspect } from "./explanation";

/** Milliseconds before its end from which a certificate is reported. */
const SOON = 30 * 24 * 3_600_000;

/** Reports certificates that have expired, or expire within 30 days. */
export const certificates: Examine = ({ cloud, type, now }) => {
    if (cloud.kind !== "found") return undefined;
    const users = (id: string): string[] =>
        Object.entries(cloud.listeners).flatMap(([name, listener]) =>
            certificatesOf(listener).includes(id) ? [name] : [],
        );
    const where = type === "clb" ? "the CLB console" : "the Certificate Management Service";
    return cloud.certificates.flatMap(({ id, expiresAt, expired }): Explanation[] => {
        const isOver = expired || (expiresAt !== undefined && expiresAt <= now);
        if (!isOver && (expiresAt === undefined || expiresAt - now > SOON)) return [];
        const day = expiresAt === undefined ? "" : ` on ${new Date(expiresAt).toISOString().slice(0, 10)}`;
        return [
            (isOver ? broken : aside)(
                `certificate ${id} of listener ${users(id).join(", ")} ${isOver ? "has expired" : "expires"}${day}`,
                [`${where} has ${id}, valid until${day === "" ? " a time that it does not tell" : day.slice(3)}`],
                `upload a new certificate to ${where}, write its id into cert-id (or where the Service names ${id}), ` +
                    "and run pulumi up",
                type === "clb" ? clbDocument("Create an HTTPS listener") : nlbDocument("Create a TCP/SSL Listener"),
            ),
        ];
    });
};

/** Reports a bandwidth package that the Service does not name: it limits traffic, and a run leaves it alone. */
export const bandwidthPackage: Examine = ({ cloud, service }) => {
    if (cloud.kind !== "found" || cloud.instance.kind === "clb" || service === undefined) return undefined;
    const { id, bandwidthPackageId = "" } = cloud.instance;
    if (bandwidthPackageId === "" || service.settings.bandwidthPackageId !== undefined) return undefined;
    return suspect(
        `bandwidth package ${bandwidthPackageId} limits the traffic of ${id}, and the Service does not name it`,
        [`${id} is attached to ${bandwidthPackageId}`],
        "look at its bandwidth in the console; detach it there if nobody needs it (a run leaves it alone), or name " +
            "it in bandwidth-package-id",
        nlbDocument("Bind an Internet Shared Bandwidth Package"),
    );
};

/** Subjects that no command looks at. */
const NEVER = [
    "NetworkPolicies, rules of security groups of nodes and pods, routes, DNS records, bandwidth of bandwidth packages",
];

/** Returns the subjects that were not looked at. */
export function notChecked({ cloud, seen }: InspectedService): string[] {
    if (cloud.kind !== "found") return NEVER;
    const known = cloud.certificates.map(({ id }) => id);
    const unread = [...new Set(Object.values(cloud.listeners).flatMap(certificatesOf))].filter(
        (id) => !known.includes(id),
    );
    return [
        ...(unread.length === 0 ? [] : [`until when certificates are valid: ${unread.join(", ")} could not be read`]),
        ...(seen.facts.vpcCidrs === undefined && seen.backends === "eni"
            ? ["whether pods are outside the VPC: its address ranges (vpcCidrs) were not seen"]
            : []),
        ...NEVER,
    ];
}

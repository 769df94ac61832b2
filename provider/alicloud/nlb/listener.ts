import { nlbProtocol, type NlbProtocol } from "../../schema/protocols";
import { batches } from "../http/batch";
import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import { list, number, requireText, text } from "../http/json";
import { tokenPages } from "../http/page";
import { change } from "./jobs";

/** An NLB listener, as it is listed. */
export interface NlbListener {
    readonly id: string;
    readonly protocol: NlbProtocol;
    /** 0 for a range. */
    readonly port: number;
    readonly startPort?: number;
    readonly endPort?: number;
    readonly description: string;
    /** Server group behind it. */
    readonly serverGroupId?: string;
}

/** Most certificates in one call. Source: NLB API, AssociateAdditionalCertificatesWithListener. */
export const CERTIFICATES_PER_CALL = 15;

/** All listeners of an instance (ListListeners, every page). */
export async function listNlbListeners(cloud: Cloud, loadBalancerId: string): Promise<NlbListener[]> {
    const action = "ListListeners";
    const pages = await tokenPages(action, (NextToken) =>
        cloud.call("nlb", action, { LoadBalancerIds: [loadBalancerId], MaxResults: 100, NextToken }),
    );
    return pages
        .flatMap((page) => list(page, "Listeners"))
        .map((item) => {
            const [startPort, endPort] = [number(item, "StartPort"), number(item, "EndPort")];
            const serverGroupId = text(item, "ServerGroupId");
            return {
                id: requireText(item, "ListenerId", action),
                protocol: nlbProtocol(requireText(item, "ListenerProtocol", action)),
                port: number(item, "ListenerPort") ?? 0,
                ...(startPort === undefined ? {} : { startPort }),
                ...(endPort === undefined ? {} : { endPort }),
                description: text(item, "ListenerDescription") ?? "",
                ...(serverGroupId === undefined ? {} : { serverGroupId }),
            };
        });
}

/** Deletes a listener; one that is gone already is fine (DeleteListener). */
export async function deleteNlbListener(cloud: Cloud, id: string): Promise<void> {
    try {
        await change(cloud, "DeleteListener", { ListenerId: id });
    } catch (error) {
        if (!isNotFound(error, "listener")) throw error;
    }
}

/** Certificates of a listener beside its own, or undefined if the listener is gone (ListListenerCertificates, every page). */
export async function listAdditionalCertificates(cloud: Cloud, listenerId: string): Promise<string[] | undefined> {
    const action = "ListListenerCertificates";
    try {
        const pages = await tokenPages(action, (NextToken) =>
            cloud.call("nlb", action, { ListenerId: listenerId, CertType: "Server", MaxResults: 50, NextToken }),
        );
        const found = pages.flatMap((page) => list(page, "Certificates"));
        return found
            .filter((item) => item["IsDefault"] !== true)
            .map((item) => requireText(item, "CertificateId", action));
    } catch (error) {
        if (isNotFound(error, "listener")) return undefined;
        throw error;
    }
}

/** Adds certificates to a listener's own, 15 a call (AssociateAdditionalCertificatesWithListener). */
export async function addCertificates(cloud: Cloud, listenerId: string, ids: readonly string[]): Promise<void> {
    for (const batch of batches(ids, CERTIFICATES_PER_CALL))
        await change(cloud, "AssociateAdditionalCertificatesWithListener", {
            ListenerId: listenerId,
            AdditionalCertificateIds: batch,
        });
}

/** Takes certificates off a listener, 15 a call (DisassociateAdditionalCertificatesWithListener). */
export async function removeCertificates(cloud: Cloud, listenerId: string, ids: readonly string[]): Promise<void> {
    for (const batch of batches(ids, CERTIFICATES_PER_CALL))
        await change(cloud, "DisassociateAdditionalCertificatesWithListener", {
            ListenerId: listenerId,
            AdditionalCertificateIds: batch,
        });
}

import { NLB_PROTOCOLS, type NlbProtocol } from "../../schema/protocols";
import { batches } from "../http/batch";
import { list, number, object, oneOf, rawItems, readAnswer, requiredText, text, truth } from "../http/answer";
import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import type { Json } from "../http/json";
import { tokenPages } from "../http/page";
import { change } from "./jobs";
import { defined } from "../../schema/defined";

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

const LISTENERS = object({
    Listeners: list(
        object({
            ListenerId: requiredText,
            ListenerProtocol: oneOf(...NLB_PROTOCOLS),
            ListenerPort: number,
            StartPort: number,
            EndPort: number,
            ListenerDescription: text,
            ServerGroupId: text,
        }),
    ),
});

const CERTIFICATES = object({ Certificates: list(object({ CertificateId: requiredText, IsDefault: truth })) });

/** An NLB listener with everything that the cloud says of it, by the API's own names. */
export interface DescribedNlbListener extends NlbListener {
    readonly attributes: Json;
}

/** All listeners of an instance (ListListeners, every page). */
export async function listNlbListeners(cloud: Cloud, loadBalancerId: string): Promise<NlbListener[]> {
    return (await describeNlbListeners(cloud, loadBalancerId)).map(({ attributes: _, ...listener }) => listener);
}

/** All listeners of an instance with their attributes (ListListeners, every page). */
export async function describeNlbListeners(cloud: Cloud, loadBalancerId: string): Promise<DescribedNlbListener[]> {
    const action = "ListListeners";
    const pages = await tokenPages(action, (NextToken) =>
        cloud.call("nlb", action, { LoadBalancerIds: [loadBalancerId], MaxResults: 100, NextToken }),
    );
    return pages.flatMap((page) => {
        const attributes = rawItems(page, "Listeners");
        return (readAnswer(action, LISTENERS, page).Listeners ?? []).map(
            ({ ListenerId, ListenerProtocol, ListenerPort, StartPort, EndPort, ...item }, index) => ({
                id: ListenerId,
                protocol: ListenerProtocol,
                port: ListenerPort ?? 0,
                ...defined({ startPort: StartPort, endPort: EndPort }),
                description: item.ListenerDescription ?? "",
                ...defined({ serverGroupId: item.ServerGroupId }),
                attributes: attributes[index] ?? {},
            }),
        );
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
        return pages
            .flatMap((page) => readAnswer(action, CERTIFICATES, page).Certificates ?? [])
            .filter(({ IsDefault }) => IsDefault !== true)
            .map(({ CertificateId }) => CertificateId);
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

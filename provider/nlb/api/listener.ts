import { NLB_PROTOCOLS } from "../../schema/protocols";
import {
    defaulted,
    fields,
    type Json,
    list,
    number,
    object,
    literalOf,
    rawItems,
    type Read,
    readAnswer,
    requiredText,
    text,
    truth,
} from "../../cloud/http/answer";
import type { Cloud } from "../../cloud/http/client";
import { ignoreNotFound } from "../../cloud/http/error";
import { batches, tokenItems } from "../../cloud/http/page";
import { change } from "./jobs";

const LISTENER = fields({
    id: ["ListenerId", requiredText],
    protocol: ["ListenerProtocol", literalOf(...NLB_PROTOCOLS)],
    /** 0 for a range. */
    port: ["ListenerPort", defaulted(number, 0)],
    startPort: ["StartPort", number],
    endPort: ["EndPort", number],
    description: ["ListenerDescription", defaulted(text, "")],
    serverGroupId: ["ServerGroupId", text],
});

/** Listener of an NLB as observed. */
export type ListedNlbListener = Read<typeof LISTENER>;

/** NLB listener with all its attributes by the API's names. */
export type DescribedNlbListener = ListedNlbListener & { readonly attributes: Json };

const LISTENERS = object({ Listeners: list(LISTENER) });
const CERTIFICATES = object({ Certificates: list(object({ CertificateId: requiredText, IsDefault: truth })) });

/** Most certificates in one call. Source: NLB API, AssociateAdditionalCertificatesWithListener. */
const CERTIFICATES_PER_CALL = 15;

/** Returns all listeners of an instance (ListListeners, every page). */
export async function listNlbListeners(cloud: Cloud, loadBalancerId: string): Promise<ListedNlbListener[]> {
    return (await describeNlbListeners(cloud, loadBalancerId)).map(({ attributes: _, ...listener }) => listener);
}

/** Returns all listeners of an instance with their attributes (ListListeners, every page). */
export function describeNlbListeners(cloud: Cloud, loadBalancerId: string): Promise<DescribedNlbListener[]> {
    const action = "ListListeners";
    const params = { LoadBalancerIds: [loadBalancerId], MaxResults: 100 };
    return tokenItems(
        action,
        (NextToken) => cloud.call("nlb", action, { ...params, NextToken }),
        (page) => {
            const { Listeners = [] } = readAnswer(action, LISTENERS, page);
            const attributes = rawItems(page, "Listeners");
            return Listeners.map((listener, index) => ({ ...listener, attributes: attributes[index] ?? {} }));
        },
    );
}

/** Deletes a listener, if it exists (DeleteListener). */
export async function deleteNlbListener(cloud: Cloud, id: string): Promise<void> {
    await ignoreNotFound("listener", change(cloud, "DeleteListener", { ListenerId: id }));
}

/** Returns all additional certificates of a listener; undefined if it does not exist (ListListenerCertificates). */
export async function listAdditionalCertificates(cloud: Cloud, listenerId: string): Promise<string[] | undefined> {
    const action = "ListListenerCertificates";
    const params = { ListenerId: listenerId, CertType: "Server", MaxResults: 50 };
    const certificates = tokenItems(
        action,
        (NextToken) => cloud.call("nlb", action, { ...params, NextToken }),
        (page) => readAnswer(action, CERTIFICATES, page).Certificates ?? [],
    );
    const additional = (await ignoreNotFound("listener", certificates))?.filter(({ IsDefault }) => IsDefault !== true);
    return additional?.map(({ CertificateId }) => CertificateId);
}

/** Adds additional certificates to a listener, 15 a call (AssociateAdditionalCertificatesWithListener). */
export async function addCertificates(cloud: Cloud, listenerId: string, ids: readonly string[]): Promise<void> {
    for (const batch of batches(ids, CERTIFICATES_PER_CALL))
        await change(cloud, "AssociateAdditionalCertificatesWithListener", {
            ListenerId: listenerId,
            AdditionalCertificateIds: batch,
        });
}

/** Removes additional certificates of a listener, 15 a call (DisassociateAdditionalCertificatesWithListener). */
export async function removeCertificates(cloud: Cloud, listenerId: string, ids: readonly string[]): Promise<void> {
    for (const batch of batches(ids, CERTIFICATES_PER_CALL))
        await change(cloud, "DisassociateAdditionalCertificatesWithListener", {
            ListenerId: listenerId,
            AdditionalCertificateIds: batch,
        });
}

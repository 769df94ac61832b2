/** Certificates of HTTPS listeners, also those of further domains. */
import { fields, number, object, requiredText, text } from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import { defined } from "../schema/defined";
import type { ObservedDomainExtension } from "../schema/observed";
import { ignoreNotFound } from "../cloud/http/error";
import { readList } from "../cloud/http/page";
import { type ListenerId, type ObservedClbListener, readClbListener } from "./listener";

const DOMAIN_EXTENSION = fields({
    id: ["DomainExtensionId", requiredText],
    domain: ["Domain", requiredText],
    certId: ["ServerCertificateId", requiredText],
});

/** Returns the further domains of an HTTPS listener (DescribeDomainExtensions, whose answer holds all). */
export async function describeDomainExtensions(
    cloud: Cloud,
    loadBalancerId: string,
    port: number,
): Promise<ObservedDomainExtension[]> {
    const action = "DescribeDomainExtensions";
    const answer = await cloud.call("slb", action, { LoadBalancerId: loadBalancerId, ListenerPort: port });
    return readList(action, ["DomainExtensions", DOMAIN_EXTENSION, "DomainExtension"], answer);
}

/**
 * Returns a listener with the certificates of further domains, or undefined if it does not exist. An HTTPS listener
 * takes two calls.
 */
export async function readWholeListener(cloud: Cloud, id: ListenerId): Promise<ObservedClbListener | undefined> {
    const [listener, domains] = await Promise.all([
        readClbListener(cloud, id),
        id.protocol === "https" ? describeDomainExtensions(cloud, id.loadBalancerId, id.port) : [],
    ]);
    return listener?.tls === undefined ? listener : { ...listener, tls: { ...listener.tls, domains } };
}

/** Deletes a further domain of a listener (DeleteDomainExtension). */
export async function deleteDomainExtension(cloud: Cloud, id: string): Promise<void> {
    await cloud.call("slb", "DeleteDomainExtension", { DomainExtensionId: id });
}

const CERTIFICATE = object({ ServerCertificateId: text, ExpireTimeStamp: number });

/**
 * Returns the server certificate with this id, or undefined if there is none (DescribeServerCertificates).
 *
 * `expiresAt` is in milliseconds since 1970, and absent if the cloud does not report it.
 */
export async function describeServerCertificate(
    cloud: Cloud,
    id: string,
): Promise<{ readonly id: string; readonly expiresAt?: number } | undefined> {
    const action = "DescribeServerCertificates";
    const answer = await ignoreNotFound("certificate", cloud.call("slb", action, { ServerCertificateId: id }));
    const certificates = readList(action, ["ServerCertificates", CERTIFICATE, "ServerCertificate"], answer ?? {});
    const found = certificates.find(({ ServerCertificateId }) => ServerCertificateId === id);
    return found && { id, ...defined({ expiresAt: found.ExpireTimeStamp }) };
}

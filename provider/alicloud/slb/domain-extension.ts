import type { ObservedDomainExtension } from "../../model/observed";
import { list, object, readAnswer, requiredText } from "../http/answer";
import type { Cloud } from "../http/client";

const DOMAIN_EXTENSIONS = object({
    DomainExtensions: list(
        object({ DomainExtensionId: requiredText, Domain: requiredText, ServerCertificateId: requiredText }),
        "DomainExtension",
    ),
});

/** The further domains of an HTTPS listener (DescribeDomainExtensions; one answer holds all). */
export async function describeDomainExtensions(
    cloud: Cloud,
    loadBalancerId: string,
    port: number,
): Promise<ObservedDomainExtension[]> {
    const action = "DescribeDomainExtensions";
    const answer = await cloud.call("slb", action, { LoadBalancerId: loadBalancerId, ListenerPort: port });

    const { DomainExtensions = [] } = readAnswer(action, DOMAIN_EXTENSIONS, answer);
    return DomainExtensions.map(({ DomainExtensionId, Domain, ServerCertificateId }) => ({
        id: DomainExtensionId,
        domain: Domain,
        certId: ServerCertificateId,
    }));
}

/** Deletes a domain of a listener (DeleteDomainExtension). */
export async function deleteDomainExtension(cloud: Cloud, id: string): Promise<void> {
    await cloud.call("slb", "DeleteDomainExtension", { DomainExtensionId: id });
}

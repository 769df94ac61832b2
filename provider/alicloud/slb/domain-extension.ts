import type { ObservedDomainExtension } from "../../model/observed";
import type { Cloud } from "../http/client";
import { list, requireText } from "../http/json";

/** The further domains of an HTTPS listener (DescribeDomainExtensions; one answer holds all). */
export async function describeDomainExtensions(
    cloud: Cloud,
    loadBalancerId: string,
    port: number,
): Promise<ObservedDomainExtension[]> {
    const action = "DescribeDomainExtensions";
    const answer = await cloud.call("slb", action, { LoadBalancerId: loadBalancerId, ListenerPort: port });
    return list(answer, "DomainExtensions", "DomainExtension").map((item) => ({
        id: requireText(item, "DomainExtensionId", action),
        domain: requireText(item, "Domain", action),
        certId: requireText(item, "ServerCertificateId", action),
    }));
}

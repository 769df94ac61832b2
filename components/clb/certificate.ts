import type * as pulumi from "@pulumi/pulumi";
import { CertificateCheck } from "../../provider/resources";
import { type Context, childName, accountArgs } from "../service/context";

/** Looks at the certificates of the HTTPS listeners before anything is done with them. None, where there is no such listener. */
export function checkCertificates(context: Context): pulumi.Resource[] {
    const tls = context.desired.listeners.flatMap((listener) => (listener.tls === undefined ? [] : [listener.tls]));
    const named = new Set(
        tls.flatMap(({ certId, domains }) => [
            ...(context.references.certId === undefined ? [certId] : []),
            ...domains.map((domain) => domain.certId),
        ]),
    );
    const certificates = [
        ...(tls.length > 0 && context.references.certId !== undefined ? [context.references.certId] : []),
        ...[...named].sort(),
    ];
    if (certificates.length === 0) {
        return [];
    }
    return [
        new CertificateCheck(
            childName(context),
            { service: context.subject, certificates, ...accountArgs(context) },
            { parent: context.parent },
        ),
    ];
}

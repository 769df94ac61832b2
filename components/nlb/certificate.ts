import type * as pulumi from "@pulumi/pulumi";
import { NlbCertificateCheck } from "../../provider/resources";
import { childName, type NlbContext, accountArgs } from "../service/context";

/** Looks at the server certificates of the TCPSSL listeners before anything is done with them. None, where there is no such listener. */
export function checkCertificates(context: NlbContext): pulumi.Resource[] {
    const listeners = context.desired.listeners.flatMap(({ key, tls }) =>
        tls === undefined
            ? []
            : [[key.replace(/^tcp-/, "tcpssl:"), [context.references.certId ?? tls.certId, ...tls.additionalCertIds]]],
    );
    if (listeners.length === 0) {
        return [];
    }
    const { region: _, ...account } = accountArgs(context);
    const args = { service: context.subject, listeners: Object.fromEntries(listeners), ...account };
    return [new NlbCertificateCheck(childName(context), args, { parent: context.parent })];
}

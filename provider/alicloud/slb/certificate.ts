import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import { list, number, text } from "../http/json";

/** A server certificate as the cloud keeps it. */
export interface ServerCertificate {
    readonly id: string;
    /** When it stops being valid, milliseconds since 1970; absent if the cloud does not say. */
    readonly expiresAt?: number;
}

/** The certificate with this id, or undefined if there is none (DescribeServerCertificates). */
export async function describeServerCertificate(cloud: Cloud, id: string): Promise<ServerCertificate | undefined> {
    try {
        const answer = await cloud.call("slb", "DescribeServerCertificates", { ServerCertificateId: id });
        const found = list(answer, "ServerCertificates", "ServerCertificate").find(
            (item) => text(item, "ServerCertificateId") === id,
        );
        if (found === undefined) return undefined;
        const expiresAt = number(found, "ExpireTimeStamp");
        return { id, ...(expiresAt === undefined ? {} : { expiresAt }) };
    } catch (error) {
        if (isNotFound(error, "certificate")) return undefined;
        throw error;
    }
}

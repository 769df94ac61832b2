import { list, number, object, readAnswer, text } from "../http/answer";
import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import { defined } from "../../schema/defined";

/** A server certificate as the cloud keeps it. */
export interface ServerCertificate {
    readonly id: string;
    /** When it stops being valid, milliseconds since 1970; absent if the cloud does not say. */
    readonly expiresAt?: number;
}

const CERTIFICATES = object({
    ServerCertificates: list(object({ ServerCertificateId: text, ExpireTimeStamp: number }), "ServerCertificate"),
});

/** The certificate with this id, or undefined if there is none (DescribeServerCertificates). */
export async function describeServerCertificate(cloud: Cloud, id: string): Promise<ServerCertificate | undefined> {
    try {
        const answer = await cloud.call("slb", "DescribeServerCertificates", { ServerCertificateId: id });
        const { ServerCertificates = [] } = readAnswer("DescribeServerCertificates", CERTIFICATES, answer);
        const found = ServerCertificates.find(({ ServerCertificateId }) => ServerCertificateId === id);
        if (found === undefined) return undefined;
        const { ExpireTimeStamp: expiresAt } = found;
        return { id, ...defined({ expiresAt }) };
    } catch (error) {
        if (isNotFound(error, "certificate")) return undefined;
        throw error;
    }
}

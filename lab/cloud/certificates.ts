import { reads, type Action } from "./actions";
import { refusal, rule } from "./core";

const EXISTS = rule({
    id: "cas.certificate.exists",
    code: "NotFound",
    status: 404,
    message: "The certificate does not exist.",
    when: "the certificate is unknown",
    source:
        "CAS API 2020-04-07, GetCertificateDetail (of the code only its beginning is known, " +
        "the message is this lab's)",
    enforcement: "always",
});

/** Certificate Management Service, 2020-04-07. Here it shares its certificates with CLB. */
export const certificateActions: readonly Action[] = [
    reads("GetCertificateDetail", { CertificateId: { required: true } }, (params, world) => {
        const number = params.need("CertificateId");
        const found = [...world.slb.certificates.values()].find(
            ({ id, kind }) => kind === "server" && (id === number || id.startsWith(`${number}-`)),
        );
        if (found === undefined) throw refusal(EXISTS);
        return {
            CertificateName: found.name,
            CommonName: found.commonName,
            NotAfter: found.expiresAt,
            CertificateStatus: found.expiresAt <= world.now() ? "expired" : "issued",
        };
    }),
];

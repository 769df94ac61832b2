import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { reads, writes, type Action } from "../actions";
import { refusal, rule, type JsonObject, type Params } from "../core";
import type { World } from "../world";
import type { Certificate } from "./state";
import { applyTags, tagView } from "./tags";

const READABLE = rule({
    id: "slb.certificate.readable",
    code: "KeyFormatError",
    message: "The specified ServerCertificate is incorrectly formatted.",
    when: "an uploaded certificate or key is no PEM that can be read",
    source: "CLB API, common error codes",
});

const KEY_FITS = rule({
    id: "slb.certificate.key-fits",
    code: "CertificateNotMatchPrivateKey",
    message: "Certificate and key does not match.",
    when: "the private key does not belong to the certificate",
    source: "CLB API, common error codes",
});

const COMPLETE = rule({
    id: "slb.certificate.complete",
    code: "InvalidParameter",
    message: "The specified parameter ServerCertificate or Key is empty.",
    when: "neither a certificate with its key nor an Alibaba Cloud certificate id is given",
    source: "CLB API, common error codes",
});

const QUOTA = rule({
    id: "slb.certificate.quota",
    code: "OverQuota",
    message: "The Total is over the quota.",
    when: "the region would have more certificates than `quotas.certificates`",
    source: "CLB quotas (slb_quota_certs_num, slb_quota_ca_certs_num); CLB API, common error codes",
});

const SERVER_EXISTS = rule({
    id: "slb.certificate.exists",
    code: "ServerCertificateId.NotFound",
    status: 404,
    message: "The specified ServerCertificateId does not exist.",
    when: "the server certificate is unknown or was deleted",
    source: "testdata/alicloud-plugin (cert-gone)",
    enforcement: "always",
});

const CA_EXISTS = rule({
    id: "slb.ca-certificate.exists",
    code: "CACertificateId.NotFound",
    status: 404,
    message: "The specified CACertificateId does not exist.",
    when: "the CA certificate is unknown or was deleted",
    source: "testdata/alicloud-plugin (ca-gone)",
    enforcement: "always",
});

const NOT_USED = rule({
    id: "slb.certificate.not-used",
    code: "CertificateAndPrivateKeyIsRefered",
    message: "Certificate and PrivateKey Is Refered.",
    when: "a certificate is deleted while a listener or an extra domain uses it",
    source: "CLB API, common error codes; the alicloud plugin waits for it to end",
    enforcement: "always",
});

/** Used where a certificate's contents cannot be read, which only lenient clouds let in. */
const FAR_FUTURE = Date.parse("2030-01-01T00:00:00Z");

type Facts = Pick<Certificate, "commonName" | "fingerprint" | "alternativeNames" | "expiresAt">;

function factsOf(world: World, pem: string | undefined): Facts {
    const unknown: Facts = { commonName: "example.com", fingerprint: "", alternativeNames: [], expiresAt: FAR_FUTURE };
    if (pem === undefined) return unknown;
    try {
        const read = new X509Certificate(pem);
        const names = (read.subjectAltName ?? "").split(", ").filter((n) => n !== "");
        return {
            commonName: /CN=([^\n]*)/.exec(read.subject)?.[1] ?? "",
            fingerprint: read.fingerprint.toLowerCase(),
            alternativeNames: names.map((n) => n.slice(n.indexOf(":") + 1)),
            expiresAt: read.validToDate.getTime(),
        };
    } catch {
        world.rules.check(READABLE, false);
        return {
            ...unknown,
            fingerprint: createHash("sha1")
                .update(pem)
                .digest("hex")
                .replace(/(..)(?=.)/g, "$1:"),
        };
    }
}

function checkKey(world: World, certificate: string | undefined, key: string | undefined): void {
    if (certificate === undefined || key === undefined) return;
    try {
        const fits = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
        world.rules.check(KEY_FITS, fits);
    } catch (error) {
        if ((error as { code?: string }).code === KEY_FITS.code) throw error;
        world.rules.check(READABLE, false);
    }
}

function find(world: World, kind: Certificate["kind"], id: string): Certificate {
    const certificate = world.slb.certificates.get(id);
    if (certificate?.kind !== kind) throw refusal(kind === "server" ? SERVER_EXISTS : CA_EXISTS);
    return certificate;
}

function add(world: World, p: Params, kind: Certificate["kind"], name: string | undefined, facts: Facts): Certificate {
    const same = [...world.slb.certificates.values()].filter((c) => c.kind === kind).length;
    world.rules.check(QUOTA, same < world.config.quotas.certificates);
    const tags = new Map<string, string>();
    applyTags(world, tags, p.structs("Tag"));
    const certificate: Certificate = {
        id: world.ids.next(kind === "server" ? "cert" : "cacert"),
        kind,
        name: name ?? "",
        resourceGroupId: p.text("ResourceGroupId") ?? "rg-default",
        ...facts,
        createdAt: world.now(),
        aliCloudCertificateId: p.text("AliCloudCertificateId") ?? "",
        aliCloudCertificateName: p.text("AliCloudCertificateName") ?? "",
        tags,
    };
    world.slb.certificates.set(certificate.id, certificate);
    return certificate;
}

function remove(world: World, certificate: Certificate): void {
    const listeners = [...world.slb.listeners.values()].some((l) =>
        [l.attributes.get("ServerCertificateId"), l.attributes.get("CACertificateId")].includes(certificate.id),
    );
    const domains = [...world.slb.domainExtensions.values()].some((d) => d.certificateId === certificate.id);
    world.rules.check(NOT_USED, !listeners && !domains);
    world.slb.certificates.delete(certificate.id);
}

function times(world: World, c: Certificate): JsonObject {
    return {
        ResourceGroupId: c.resourceGroupId,
        Fingerprint: c.fingerprint,
        CommonName: c.commonName,
        ExpireTime: new Date(c.expiresAt).toISOString().replace(/\.\d+Z$/, "Z"),
        ExpireTimeStamp: c.expiresAt,
        CreateTime: new Date(c.createdAt).toISOString().replace(/\.\d+Z$/, "Z"),
        CreateTimeStamp: c.createdAt,
        RegionId: world.region,
        Tags: tagView(c.tags),
    };
}

function serverView(world: World, c: Certificate): JsonObject {
    return {
        ServerCertificateId: c.id,
        ServerCertificateName: c.name,
        AliCloudCertificateId: c.aliCloudCertificateId,
        AliCloudCertificateName: c.aliCloudCertificateName,
        IsAliCloudCertificate: c.aliCloudCertificateId === "" ? 0 : 1,
        SubjectAlternativeNames: { SubjectAlternativeName: c.alternativeNames },
        ...times(world, c),
    };
}

function select(world: World, kind: Certificate["kind"], id: string | undefined): Certificate[] {
    return [...world.slb.certificates.values()].filter((c) => c.kind === kind && (id ?? c.id) === c.id);
}

export const certificateActions: readonly Action[] = [
    writes("UploadServerCertificate", {}, (p, world) => {
        const pem = p.text("ServerCertificate");
        const key = p.text("PrivateKey");
        world.rules.check(
            COMPLETE,
            p.text("AliCloudCertificateId") !== undefined || (pem !== undefined && key !== undefined),
        );
        const facts = factsOf(world, pem);
        checkKey(world, pem, key);
        return serverView(world, add(world, p, "server", p.text("ServerCertificateName"), facts));
    }),
    writes(
        "SetServerCertificateName",
        { ServerCertificateId: { required: true }, ServerCertificateName: { required: true } },
        (p, world) => {
            find(world, "server", p.need("ServerCertificateId")).name = p.need("ServerCertificateName");
        },
    ),
    writes("DeleteServerCertificate", { ServerCertificateId: { required: true } }, (p, world) =>
        remove(world, find(world, "server", p.need("ServerCertificateId"))),
    ),
    reads("DescribeServerCertificates", {}, (p, world) => ({
        ServerCertificates: {
            ServerCertificate: select(world, "server", p.text("ServerCertificateId")).map((c) => serverView(world, c)),
        },
    })),
    writes("UploadCACertificate", { CACertificate: { required: true } }, (p, world) => {
        const c = add(world, p, "ca", p.text("CACertificateName"), factsOf(world, p.text("CACertificate")));
        return { CACertificateId: c.id, CACertificateName: c.name, ...times(world, c) };
    }),
    writes(
        "SetCACertificateName",
        { CACertificateId: { required: true }, CACertificateName: { required: true } },
        (p, world) => {
            find(world, "ca", p.need("CACertificateId")).name = p.need("CACertificateName");
        },
    ),
    writes("DeleteCACertificate", { CACertificateId: { required: true } }, (p, world) =>
        remove(world, find(world, "ca", p.need("CACertificateId"))),
    ),
    reads("DescribeCACertificates", {}, (p, world) => ({
        CACertificates: {
            CACertificate: select(world, "ca", p.text("CACertificateId")).map((c) => ({
                CACertificateId: c.id,
                CACertificateName: c.name,
                ...times(world, c),
            })),
        },
    })),
];

import { reads, type Action } from "../actions";
import type { JsonObject } from "../core";
import type { World } from "../world";
import type { Certificate } from "./state";
import { tagView } from "./tags";

function time(at: number): string {
    return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

function view(world: World, c: Certificate): JsonObject {
    return {
        ServerCertificateId: c.id,
        ServerCertificateName: c.name,
        AliCloudCertificateId: "",
        AliCloudCertificateName: "",
        IsAliCloudCertificate: 0,
        SubjectAlternativeNames: { SubjectAlternativeName: [] },
        ResourceGroupId: "rg-default",
        Fingerprint: "",
        CommonName: c.commonName,
        ExpireTime: time(c.expiresAt),
        ExpireTimeStamp: c.expiresAt,
        CreateTime: time(c.createdAt),
        CreateTimeStamp: c.createdAt,
        RegionId: world.region,
        Tags: tagView(c.tags),
    };
}

/** Certificates are seeded: nothing uploads them. */
export const certificateActions: readonly Action[] = [
    reads("DescribeServerCertificates", {}, (p, world) => {
        const found = [...world.slb.certificates.values()].filter(
            (c) => c.kind === "server" && (p.text("ServerCertificateId") ?? c.id) === c.id,
        );
        return { ServerCertificates: { ServerCertificate: found.map((c) => view(world, c)) } };
    }),
];

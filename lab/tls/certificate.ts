import { generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import * as der from "./der";

/** A certificate and its private key, both PEM. */
export interface Certificate {
    readonly cert: string;
    readonly key: string;
}

export interface CertificateRequest {
    readonly commonName: string;
    /** Names in the certificate. Texts that look like an IPv4 address become IP entries. Default: the common name. */
    readonly names?: readonly string[];
    readonly notBefore?: Date;
    readonly notAfter?: Date;
}

const ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
const COMMON_NAME = "2.5.4.3";
const SUBJECT_ALT_NAME = "2.5.29.17";
const BASIC_CONSTRAINTS = "2.5.29.19";
const KEY_USAGE = "2.5.29.15";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const SERVER_AUTH = "1.3.6.1.5.5.7.3.1";

const DAY = 24 * 3600 * 1000;

function pem(label: string, contents: Buffer): string {
    const lines = contents.toString("base64").match(/.{1,64}/g) ?? [];
    return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
    return der.sequence(der.oid(id), ...(critical ? [der.boolean(true)] : []), der.octets(value));
}

function generalName(name: string): Buffer {
    if (/^\d+(\.\d+){3}$/.test(name)) return der.contextPrimitive(7, Buffer.from(name.split(".").map(Number)));
    return der.contextPrimitive(2, Buffer.from(name, "ascii"));
}

function extensions(names: readonly string[]): Buffer {
    return der.context(
        3,
        der.sequence(
            extension(BASIC_CONSTRAINTS, true, der.sequence(der.boolean(true))),
            // digitalSignature and keyCertSign: it signs handshakes and is its own authority.
            extension(KEY_USAGE, true, der.bits(Buffer.from([0x84]), 2)),
            extension(EXTENDED_KEY_USAGE, false, der.sequence(der.oid(SERVER_AUTH))),
            extension(SUBJECT_ALT_NAME, false, der.sequence(...names.map(generalName))),
        ),
    );
}

/**
 * Makes a self-signed certificate for server and authority: clients use the same PEM file as trust root
 * (`SSL_CERT_FILE`, `NODE_EXTRA_CA_CERTS`). By default valid from yesterday for ten years.
 *
 * Written here because Node can read X.509 but not write it, and a lab must not depend on an `openssl` program.
 */
export function makeCertificate(request: CertificateRequest): Certificate {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const name = der.sequence(der.set(der.sequence(der.oid(COMMON_NAME), der.utf8(request.commonName))));
    const algorithm = der.sequence(der.oid(ECDSA_WITH_SHA256));
    const serial = randomBytes(16);
    serial[0] = (serial[0] ?? 0) & 0x7f || 1;
    const body = der.sequence(
        der.context(0, der.integer(Buffer.from([2]))),
        der.integer(serial),
        algorithm,
        name,
        der.sequence(
            der.utcTime(request.notBefore ?? new Date(Date.now() - DAY)),
            der.utcTime(request.notAfter ?? new Date(Date.now() + 3650 * DAY)),
        ),
        name,
        spki(publicKey),
        extensions(request.names ?? [request.commonName]),
    );
    const signature = sign("sha256", body, privateKey);
    return {
        cert: pem("CERTIFICATE", der.sequence(body, algorithm, der.bits(signature))),
        key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    };
}

function spki(key: KeyObject): Buffer {
    return key.export({ type: "spki", format: "der" });
}

/** A self-signed certificate for 127.0.0.1, valid for a day. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface Certificate {
    readonly key: string;
    readonly cert: string;
}

/** One value in the distinguished encoding rules. */
function der(tag: number, ...content: Buffer[]): Buffer {
    const body = Buffer.concat(content);
    const length: number[] = [];
    if (body.length < 128) length.push(body.length);
    else {
        for (let rest = body.length; rest > 0; rest >>= 8) length.unshift(rest & 255);
        length.unshift(0x80 | length.length);
    }
    return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...content: Buffer[]): Buffer => der(0x30, ...content);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const time = (date: Date): Buffer =>
    der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));

export function makeCertificate(): Certificate {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"));
    const name = sequence(der(0x31, sequence(identifier("550403"), der(0x0c, Buffer.from("127.0.0.1")))));
    const now = Date.now();
    const alternativeNames = sequence(
        identifier("551d11"),
        der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))),
    );
    const isAuthority = sequence(
        identifier("551d13"),
        der(0x01, Buffer.from([0xff])),
        der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
    );
    const body = sequence(
        der(0xa0, der(0x02, Buffer.from([2]))),
        der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
        ecdsaWithSha256,
        name,
        sequence(time(new Date(now - 3_600_000)), time(new Date(now + 86_400_000))),
        name,
        publicKey.export({ type: "spki", format: "der" }),
        der(0xa3, sequence(alternativeNames, isAuthority)),
    );
    const signature = sign("sha256", body, privateKey);
    const whole = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
    const lines = whole
        .toString("base64")
        .replace(/(.{64})/g, "$1\n")
        .trimEnd();
    return {
        key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
        cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    };
}

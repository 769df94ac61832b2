import { expect, test } from "@jest/globals";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { makeCertificate } from ".";

test("a certificate is self-signed, names its hosts and fits its key", () => {
    const { cert, key } = makeCertificate({ commonName: "lab", names: ["127.0.0.1", "localhost"] });
    const read = new X509Certificate(cert);
    expect(read.ca).toBe(true);
    expect(read.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(read.checkHost("localhost")).toBe("localhost");
    expect(read.checkHost("example.com")).toBeUndefined();
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(read.validFromDate.getTime() < Date.now() && read.validToDate.getTime() > Date.now()).toBeTruthy();
});

test("the validity can be set", () => {
    const { cert } = makeCertificate({
        commonName: "old.example.com",
        notBefore: new Date("2019-01-01T00:00:00Z"),
        notAfter: new Date("2020-06-30T12:34:56Z"),
    });
    expect(new X509Certificate(cert).validToDate.toISOString()).toBe("2020-06-30T12:34:56.000Z");
});

test("serial numbers differ", () => {
    const serials = new Set(
        Array.from({ length: 20 }, () => new X509Certificate(makeCertificate({ commonName: "x" }).cert).serialNumber),
    );
    expect(serials.size).toBe(20);
});

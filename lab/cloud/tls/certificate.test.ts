import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { test } from "node:test";
import { makeCertificate } from ".";

test("a certificate is its own authority, names its hosts and fits its key", () => {
    const { cert, key } = makeCertificate({ commonName: "lab", names: ["127.0.0.1", "localhost"] });
    const read = new X509Certificate(cert);
    assert.equal(read.ca, true);
    assert.equal(read.checkIP("127.0.0.1"), "127.0.0.1");
    assert.equal(read.checkHost("localhost"), "localhost");
    assert.equal(read.checkHost("example.com"), undefined);
    assert.equal(read.verify(read.publicKey), true);
    assert.equal(read.checkPrivateKey(createPrivateKey(key)), true);
    assert.ok(read.validFromDate.getTime() < Date.now() && read.validToDate.getTime() > Date.now());
});

test("a time of validity can be given", () => {
    const { cert } = makeCertificate({
        commonName: "old.example.com",
        notBefore: new Date("2019-01-01T00:00:00Z"),
        notAfter: new Date("2020-06-30T12:34:56Z"),
    });
    assert.equal(new X509Certificate(cert).validToDate.toISOString(), "2020-06-30T12:34:56.000Z");
});

test("serial numbers differ", () => {
    const serials = new Set(
        Array.from({ length: 20 }, () => new X509Certificate(makeCertificate({ commonName: "x" }).cert).serialNumber),
    );
    assert.equal(serials.size, 20);
});

import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { firstLine, shortLine, redact } from "./redact";

test("keys, tokens and signatures are masked in every form in which they turn up", () => {
    const id = "LTAI5tAbCdEfGhIjKlMn";
    for (const text of [
        `Credential=${id},SignedHeaders=host,Signature=0a1b2c3d4e5f`,
        `https://slb.aliyuncs.com/?AccessKeyId=${id}&Signature=0a1b2c3d4e5f&SecurityToken=0a1b2c3d4e5f`,
        `{"access_key_id": "${id}", "access_key_secret": "0a1b2c3d4e5f", "sts_token":"0a1b2c3d4e5f"}`,
        `server string to sign is:GET&%2F&AccessKeyId%3D${id}%26Signature%3D0a1b2c3d4e5f`,
        "Authorization: Bearer 0a1b2c3d4e5f",
        "token eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIwYTFiMmMzZDRlNWYifQ.0a1b2c3d4e5f",
        "-----BEGIN RSA PRIVATE KEY-----\n0a1b2c3d4e5f\n-----END RSA PRIVATE KEY-----",
        "ALIBABA_CLOUD_ACCESS_KEY_SECRET=0a1b2c3d4e5f",
        "PULUMI_CONFIG_PASSPHRASE=0a1b2c3d4e5f",
        "https://admin:0a1b2c3d4e5f@10.0.0.1:6443/api",
        "the plugin printed: token: 0a1b2c3d4e5f",
        'password="0a1b2c3d4e5f"',
        String.raw`{"message":"password=\"0a1b2c3d4e5f\""}`,
        "client-key-data: 0a1b2c3d4e5f==",
        "TMP.0a1b2c3d4e5f",
        "STS.NUgYrLnoC37mZZCNnAbez0a1b2c3d4e5f",
    ]) {
        expect(redact(text)).not.toMatch(/LTAI5|0a1b2c3d4e5f|eyJhb/);
    }
});

test("a secret that is known never comes through, wherever it stands", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9+/=]{8,40}$/);
    fc.assert(
        fc.property(
            word,
            fc.string(),
            fc.string(),
            (secret, before, behind) => !redact(before + secret + behind, [secret]).includes(secret),
        ),
    );
});

test("a text from outside is one short line for a log, without commands and marks of direction", () => {
    expect(shortLine("  no\n##vso[task.x]\u001b[2J \u202eevil\r\n\t::error:: ")).toBe(
        "no \\x23#vso[task.x]\\x1b[2J \\u202eevil ::error::",
    );
    expect(shortLine("::error::x")).toBe("\\x3a:error::x");
    expect(shortLine("token: 0a1b2c3d4e5f a-secret", ["a-secret"])).toBe("token: *** ***");
    expect(shortLine("x".repeat(1_000_000))).toBe(`${"x".repeat(1_000)}…`);
    expect(firstLine(new Error("one \u009b\nno"))).toBe("one \\x9b");
});

test("ordinary messages stay as they are", () => {
    for (const text of [
        "The specified LoadBalancerId does not exist.",
        "connect ECONNREFUSED 127.0.0.1:443",
        "https://127.0.0.1:6443/api/v1/nodes@x",
        "the token is invalid; https://example.com:443 and mail@example.com",
        "the basic signature of the answer",
    ])
        expect(redact(text, [undefined, "is"])).toBe(text);
});

import { expect, test } from "@jest/globals";
import { withoutSecrets } from "./log";

test.each([
    ["a refused signature", { cause: "SignatureDoesNotMatch: server string to sign is:POST&%2F" }, "POST"],
    ["a quoted password", { cause: 'the server refused password="s3cret-word"' }, "s3cret"],
    ["a field of that name", { token: "s3cret-word" }, "s3cret"],
    ["a nested field", { request: { headers: ["Bearer abc.def"] } }, "abc.def"],
    ["a private key", { pem: "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----" }, "MIIE"],
])("the log hides a secret and keeps its other fields: %s", (_name, fields, secret) => {
    const logged = withoutSecrets({ ...fields, binding: "shop/web" });
    expect(JSON.stringify(logged)).not.toContain(secret);
    expect(Object.keys(logged)).toStrictEqual([...Object.keys(fields), "binding"]);
    expect(logged).toHaveProperty("binding", "shop/web");
});

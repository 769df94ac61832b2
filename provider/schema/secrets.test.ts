import { expect, test } from "@jest/globals";
import { asSecret, hasSecret, withoutSecrets } from "./secrets";

test("secrets are found and unwrapped at any depth", () => {
    const value = { token: asSecret("t"), list: [{ inner: asSecret({ key: asSecret(1) }) }], plain: [null, "x", 2] };
    expect(hasSecret(value)).toBe(true);
    expect(withoutSecrets(value)).toStrictEqual({
        token: "t",
        list: [{ inner: { key: 1 } }],
        plain: [null, "x", 2],
    });
    expect(hasSecret(withoutSecrets(value))).toBe(false);
});

test("absent fields of a secret, which are null, are left out", () => {
    const live = { addresses: [], labels: null, status: { ip: null, list: [null, { a: null }] } };
    expect(withoutSecrets({ live: asSecret(live), absent: asSecret(null), plain: { labels: null } })).toStrictEqual({
        live: { addresses: [], status: { list: [null, {}] } },
        plain: { labels: null },
    });
});

import { expect, test } from "@jest/globals";
import { HttpFailure } from "../net";
import { refusal, scriptedCloud, type Answer } from "../../test/support/cloud-client";
import { getCertificate, siteOf } from "./certificate";

async function ask(id: string, answer: Answer) {
    const { cloud, asked, clock } = scriptedCloud(() => answer);
    const kind = await clock.run(getCertificate(cloud, id));
    return { ...kind, asked: asked[0]?.params["CertificateId"] };
}

test("the number of an id is asked for; neither certificate nor key is in the answer", async () => {
    const found = { body: { CertificateStatus: "issued" } };
    expect(await ask("123-cn-hangzhou", found)).toEqual({ kind: "found", expired: false, asked: "123" });
    expect(await ask("123", { body: { CertificateStatus: "expired" } })).toMatchObject({ expired: true, asked: "123" });
});

test.each([
    ["an id that is unknown", "123", refusal("NotFound", "", 404), "missing"],
    ["an id of another form, which is no number", "1231579_166f82", refusal("InvalidParameter", "", 400), "missing"],
    ["a number that the service does not accept today", "123", refusal("InvalidParameter", "", 400), "unanswered"],
    ["credentials that may not ask", "1231579_166f82", refusal("Forbidden.RAM", "", 403), "unanswered"],
    [
        "a service that cannot be reached",
        "123",
        new HttpFailure("ECONNREFUSED", "connect ECONNREFUSED", false),
        "unanswered",
    ],
] as const)("%s", async (_, id, answer, kind) => expect((await ask(id, answer)).kind).toBe(kind));

test("the site of a certificate, wherever the load balancer is", () => {
    expect(["123", "123-cn-hangzhou", "123-ap-southeast-1", "cert-one"].map(siteOf)).toStrictEqual([
        "cn-hangzhou",
        "cn-hangzhou",
        "ap-southeast-1",
        "cn-hangzhou",
    ]);
});

test("what is no region is no site: the id is asked for whole, and no host is named after it", async () => {
    expect(["123-foo", "123-Cn-Hangzhou", "123-a.example"].map(siteOf)).toStrictEqual(Array(3).fill("cn-hangzhou"));
    expect(await ask("123-foo", refusal("InvalidParameter", "", 400))).toMatchObject({
        kind: "missing",
        asked: "123-foo",
    });
});

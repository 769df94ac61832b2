/** Answers of the plugin to the engine, by the handlers of dynamic resources. */
import { expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { handled } from "./handled";

const { specialSecretSig, specialSigKey } = pulumi.runtime;

const secret = (value: unknown) => ({ [specialSigKey]: specialSecretSig, value });

const urnOf = (type: string) =>
    `urn:pulumi:dev::shop::ack-loadbalancer:index:ServiceLoadBalancer$ack-loadbalancer:index:${type}::shop`;

const VSWITCH = { service: "shop/web", candidates: ["vsw-1", "vsw-2"], rule: "first" };

test("check refuses and completes inputs as the handler does", async () => {
    const urn = urnOf("VSwitchChoice");
    expect(await handled.check(urn, {}, VSWITCH)).toStrictEqual({
        inputs: { ...VSWITCH, chosen: "vsw-1" },
        failures: [],
    });
    const { failures } = await handled.check(urn, {}, { ...VSWITCH, candidates: [] });
    expect(failures?.[0]?.reason).toMatch(/^Service shop\/web: .*Remedy: /);
});

test("the engine compares inputs where the handler compares none", async () => {
    const inputs = { service: "shop/web", certificates: [] };
    expect(await handled.check(urnOf("ListenerOptions"), {}, inputs)).toStrictEqual({ inputs });
    expect(await handled.diff("id", urnOf("VSwitchChoice"), VSWITCH, VSWITCH)).toStrictEqual({});
});

test("a resource that cannot be read is as recorded", async () => {
    const urn = urnOf("VSwitchChoice");
    expect(await handled.read("shop/web", urn, VSWITCH)).toStrictEqual({ id: "shop/web", props: VSWITCH });
});

test("handlers get the values of secrets, and properties of their names stay secret", async () => {
    const urn = urnOf("VSwitchChoice");
    const inputs = { ...VSWITCH, candidates: ["vsw-1", secret("vsw-2")] };
    const marked = { ...VSWITCH, candidates: secret(VSWITCH.candidates) };
    expect((await handled.check(urn, inputs, inputs)).inputs).toStrictEqual({ ...marked, chosen: "vsw-1" });
    expect((await handled.create(urn, inputs)).outs).toStrictEqual(marked);
});

test("a failed write's properties are as secret as a successful one's, with the provider's text", async () => {
    const region = "cn-nowhere";
    const tags = (value: unknown) => ({ service: "shop/web", loadBalancerId: "lb-1", region, tags: { a: value } });
    const [olds, news] = [tags("former"), tags("value")].map((inputs) => ({ ...inputs, __provider: "text" }));
    const failed = async (before: object, after: object): Promise<unknown> =>
        handled
            .update("lb-1", urnOf("ReusedLoadBalancer"), { ...olds, ...before }, { ...news, ...after })
            .catch((error: unknown) => (error as { properties: object }).properties);
    expect(await failed({}, {})).toMatchObject({ tags: { a: "former" }, __provider: "text", unsure: true });
    const marked = { tags: secret({ a: "former" }), __provider: "text", unsure: true };
    expect(await failed({ tags: { a: secret("former") } }, {})).toMatchObject(marked);
    expect(await failed({}, { tags: secret({ a: "value" }) })).toMatchObject(marked);
    expect(await failed(tags(secret("former")), tags(secret("value")))).toMatchObject(marked);
});

test("a type that the package does not have is an error with its name", async () => {
    await expect(handled.create(urnOf("Door"), {})).rejects.toThrow(/no resource of the type Door/);
});

import { expect, test } from "@jest/globals";
import * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import { omitUnset } from "./expose";

const of = (type: string, props: object) =>
    omitUnset({ type, name: "one", props, opts: {}, resource: {} as pulumi.Resource });

test("arguments that are not given are left out, except for those that the components read", () => {
    expect(of("alicloud:slb/listener:Listener", { protocol: "tcp", gzip: undefined, address: undefined })).toEqual({
        props: { protocol: "tcp", address: undefined },
        opts: {},
    });
});

test.each(["kubernetes:core/v1:Service", "pulumi-nodejs:dynamic/ack-loadbalancer:ReusedLoadBalancer"])(
    "%s is left as it is",
    (type) => {
        expect(of(type, { status: undefined })).toBeUndefined();
    },
);

test("the engine gets the same, and attributes that are given are Outputs as before", async () => {
    const registered: Record<string, unknown>[] = [];
    await pulumi.runtime.setMocks({
        newResource: ({ inputs, name }) => {
            registered.push(inputs as Record<string, unknown>);
            return { id: name, state: { ...(inputs as object), address: "203.0.113.12", addressType: "internet" } };
        },
        call: ({ inputs }) => inputs,
    });
    const args = { loadBalancerName: "one", tags: { a: "b" } };
    const [plain, short] = [{}, { transformations: [omitUnset] }].map(
        (opts, index) => new slb.ApplicationLoadBalancer(`lb-${index}`, args, opts),
    );
    const read = (one: slb.ApplicationLoadBalancer | undefined) =>
        new Promise((resolve) => pulumi.all([one?.id, one?.address, one?.loadBalancerName]).apply(resolve));
    expect(await read(plain)).toEqual(["lb-0", "203.0.113.12", "one"]);
    expect(await read(short)).toEqual(["lb-1", "203.0.113.12", "one"]);
    expect(registered[1]).toEqual(registered[0]);
    expect(plain?.addressType).toBeDefined();
    expect(short?.addressType).toBeUndefined();
});

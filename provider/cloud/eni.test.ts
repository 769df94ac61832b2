import { expect, test } from "@jest/globals";
import { scriptedCloud, type Asked } from "../../test/support/cloud-client";
import { findEnis } from "./eni";

const filtered = ({ params }: Asked, name: string): string[] =>
    Object.entries(params)
        .filter(([key]) => key.startsWith(`${name}.`))
        .map(([, value]) => value);

test("addresses are looked up 100 a call and every page is read", async () => {
    const ips = Array.from({ length: 250 }, (_, index) => `10.0.${Math.floor(index / 200)}.${index % 200}`);
    const { cloud, asked, clock } = scriptedCloud((one) => {
        const wanted = filtered(one, "PrivateIpAddress");
        const half = Math.ceil(wanted.length / 2);
        const second = one.params["NextToken"] === "more";
        const shown = second ? wanted.slice(half) : wanted.slice(0, half);
        return {
            body: {
                NextToken: second ? "" : "more",
                NetworkInterfaceSets: {
                    NetworkInterfaceSet: shown.map((ip) => ({
                        NetworkInterfaceId: `eni-${ip}`,
                        VpcId: "vpc-1",
                        InstanceId: "i-1",
                        PrivateIpSets: { PrivateIpSet: [{ PrivateIpAddress: ip }, { PrivateIpAddress: "10.9.9.9" }] },
                    })),
                },
            },
        };
    });
    const found = await clock.run(findEnis(cloud, [...ips, ...ips]));
    expect(found.size).toBe(250);
    expect(found.get("10.0.0.7")).toBe("eni-10.0.0.7");
    expect(found.has("10.9.9.9")).toBe(false);
    expect(asked).toHaveLength(6);
    expect(
        asked.every((one) => filtered(one, "PrivateIpAddress").length <= 100 && one.params["Status"] === "InUse"),
    ).toBeTruthy();
});

test("IPv6 addresses go by their own filter; an unknown address is absent; no address, no call", async () => {
    const { cloud, asked, clock } = scriptedCloud((one) => ({
        body: {
            NetworkInterfaceSets: {
                NetworkInterfaceSet: filtered(one, "Ipv6Address").map((ip) => ({
                    NetworkInterfaceId: "eni-6",
                    Ipv6Sets: { Ipv6Set: [{ Ipv6Address: ip }] },
                })),
            },
        },
    }));
    const found = await clock.run(findEnis(cloud, ["2001:db8::1", "10.0.0.1"]));
    expect([...found]).toStrictEqual([["2001:db8::1", "eni-6"]]);
    expect(asked).toHaveLength(2);
    expect((await clock.run(findEnis(cloud, []))).size).toBe(0);
    expect(asked).toHaveLength(2);
});

test("only interfaces of the VPC are asked for, if it is known", async () => {
    const { cloud, asked, clock } = scriptedCloud(() => ({ body: {} }));
    await clock.run(findEnis(cloud, ["10.0.0.1", "2001:db8::1"], "vpc-1"));
    expect(asked.map(({ params }) => params["VpcId"])).toStrictEqual(["vpc-1", "vpc-1"]);
    await clock.run(findEnis(cloud, ["10.0.0.1"]));
    expect(asked.at(-1)?.params).not.toHaveProperty("VpcId");
});

test("an address in two VPCs is an error, not a guess", async () => {
    const { cloud, clock } = scriptedCloud(() => ({
        body: {
            NetworkInterfaceSets: {
                NetworkInterfaceSet: ["1", "2"].map((n) => ({
                    NetworkInterfaceId: `eni-${n}`,
                    VpcId: `vpc-${n}`,
                    PrivateIpAddress: "10.0.0.1",
                })),
            },
        },
    }));
    await expect(clock.run(findEnis(cloud, ["10.0.0.1"]))).rejects.toThrow(
        /carried by eni-1 \(vpc-1\) and by eni-2 \(vpc-2\)[\s\S]*set vpcId/,
    );
});

test("a token that comes back ends the reading with an error", async () => {
    const { cloud, clock } = scriptedCloud(() => ({ body: { NextToken: "same" } }));
    await expect(clock.run(findEnis(cloud, ["10.0.0.1"]))).rejects.toThrow(/repeats its NextToken/);
});

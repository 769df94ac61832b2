import { expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { withValues } from "./run";

test("a hook gets the values of secrets, and what is absent stays absent", async () => {
    const seen: object[] = [];
    const live = pulumi.secret({ addresses: ["203.0.113.7"] });
    await withValues((args: pulumi.ResourceHookArgs) => void seen.push(args))({
        urn: "urn:pulumi:a::b::c::d",
        id: "shop/web",
        name: "web",
        type: "c",
        newInputs: { service: pulumi.secret("shop/web"), live },
    });
    expect(seen).toStrictEqual([
        {
            urn: "urn:pulumi:a::b::c::d",
            id: "shop/web",
            name: "web",
            type: "c",
            newInputs: { service: "shop/web", live: { addresses: ["203.0.113.7"] } },
        },
    ]);
});

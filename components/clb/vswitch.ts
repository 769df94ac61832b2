import type * as pulumi from "@pulumi/pulumi";
import { VSwitchChoice } from "../../provider/resources";
import { type Context, childName, accountArgs } from "../service/context";
import { defined } from "../../provider/schema/defined";

/** The vSwitch of an internal instance; undefined for one that faces the Internet. A named one is remembered too, so that the instance stays where it is when the name goes. */
export function chooseVSwitch(context: Context): pulumi.Input<string> | undefined {
    const { vswitch: selector, address } = context.desired.loadBalancer;
    if (selector === undefined) {
        return undefined;
    }
    const { vpcId } = context.cluster.facts;
    const named = context.references.vswitchId ?? selector.named;
    const choice = new VSwitchChoice(
        childName(context),
        {
            service: context.subject,
            ...defined({ named }),
            candidates: selector.candidates,
            rule: selector.rule,
            ...defined({ address, vpcId, adopted: context.adoption?.vswitchId }),
            ...accountArgs(context),
        },
        // It matters once, when the instance is taken over.
        { parent: context.parent, ignoreChanges: ["adopted"] },
    );
    return named ?? choice.chosen;
}

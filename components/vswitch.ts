import type * as pulumi from "@pulumi/pulumi";
import { VSwitchChoice } from "../provider/dynamic";
import type { VSwitchWish } from "../provider/model/loadbalancer";
import { type Context, childName, regionArg } from "./context";

/** The vSwitch of an internal instance; undefined for one that faces the Internet. A named one is remembered too, so that the instance stays where it is when the name goes. */
export function chooseVSwitch(context: Context): pulumi.Input<string> | undefined {
    const wish = context.desired.loadBalancer.vswitch;
    if (wish === undefined) {
        return undefined;
    }
    const named = context.references.vswitchId ?? wish.named;
    const choice = new VSwitchChoice(
        childName(context),
        { service: childName(context), ...(named === undefined ? {} : { named }), ...candidates(context, wish), ...regionArg(context) },
        // They matter once: what was chosen stays.
        { parent: context.parent, ignoreChanges: ["candidates", "rule"] },
    );
    return named ?? choice.chosen;
}

/** The vSwitch of an instance that is taken over is the one that it has. */
function candidates(context: Context, wish: VSwitchWish): Pick<VSwitchWish, "candidates" | "rule"> {
    const standing = context.adoption?.vswitchId;
    return standing === undefined ? { candidates: wish.candidates, rule: wish.rule } : { candidates: [standing], rule: "first" };
}

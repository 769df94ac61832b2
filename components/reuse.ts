import * as pulumi from "@pulumi/pulumi";
import { buildReuse } from "../provider/build";
import { ReusedLoadBalancer } from "../provider/dynamic";
import type { ExistingInstance, ReuseWish } from "../provider/model/instance";
import { ownershipKey, REUSED_TAG } from "../provider/model/names";
import { formatFinding, judgeReuse, sharePort } from "../provider/plan";
import { type Context, childName, owner, regionArg } from "./context";
import { announceListeners } from "./hooks";
import type { PlacedInstance } from "./instance";

/** What the Service wants of the instance that it names, and what the cloud says of that; `found` is undefined if there is no such instance. */
export interface Reuse {
    readonly wish: ReuseWish;
    readonly found?: ExistingInstance;
}

/**
 * Looks at the instance that the Service names, before anything is registered that depends on it. Undefined for a Service that gets an instance of its own.
 *
 * What is only worth knowing is said at once: listeners that will be replaced, and attributes of the instance that will change.
 */
export function lookAtInstance(context: Context): pulumi.Output<Reuse> | undefined {
    const wish = buildReuse(context.service, context.cluster.facts, []);
    if (wish === undefined) {
        return undefined;
    }
    const look = async (): Promise<Reuse> => {
        const [view, found] = await Promise.all([context.view, context.cluster.instance(wish, context.region)]);
        const boundTo = (view.live?.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip === undefined || ip === "" ? [] : [ip]));
        const reuse = { wish: { ...wish, boundTo }, ...(found === undefined ? {} : { found }) };
        await announce(context, reuse);
        return reuse;
    };
    return pulumi.output(look());
}

async function announce(context: Context, { wish, found }: Reuse): Promise<void> {
    for (const finding of judgeReuse(wish, found).filter(({ severity }) => severity === "warning")) {
        await pulumi.log.warn(`Service ${childName(context)}: ${formatFinding(finding)}`, context.parent);
    }
    const standing = (found?.listeners ?? []).filter((listener) => wish.listeners.some((wanted) => sharePort(wanted, listener)));
    announceListeners(context.region, wish.loadBalancerId, wish.manageListeners ? standing : []);
}

/** The Service's use of an instance that is there already. */
export function reuseLoadBalancer(
    context: Context,
    reuse: pulumi.Output<Reuse>,
    dependsOn: readonly pulumi.Resource[],
): PlacedInstance & { readonly resource: ReusedLoadBalancer } {
    const resource = new ReusedLoadBalancer(
        childName(context),
        {
            loadBalancerId: reuse.apply(({ wish }) => wish.loadBalancerId),
            address: reuse.apply(({ found }) => found?.address ?? ""),
            owner: ownershipKey(0, owner(context)),
            attributes: reuse.apply(({ wish }) => wish.attributes),
            tags: reuse.apply(({ wish }) => ({ ...wish.additionalTags, [REUSED_TAG]: "true" })),
            ...regionArg(context),
        },
        { parent: context.parent, dependsOn: [...dependsOn], protect: context.protect },
    );
    return { origin: "reused", id: resource.loadBalancerId, address: resource.address, resource };
}

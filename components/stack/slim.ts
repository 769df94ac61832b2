/** Resources of the GitOps stack without Outputs that nobody reads. */
import type * as pulumi from "@pulumi/pulumi";

/** Attributes that the cloud chooses and the components read: the address of a CLB and of an NLB. */
const READ: readonly string[] = ["address", "dnsName"];

/**
 * Leaves out arguments of cloud resources that are not given. The SDK makes an Output for each of them, with half a dozen promises, and a listener has sixty: that is most of a
 * program's memory and much of its time. The engine gets the same either way. Only a program whose resources nobody else reads can use it: the attributes are missing there.
 */
export function withoutUnused({
    type,
    props,
    opts,
}: pulumi.ResourceTransformationArgs): pulumi.ResourceTransformationResult | undefined {
    if (!type.startsWith("alicloud:")) return undefined;
    const used = Object.entries(props as Record<string, unknown>).filter(
        ([key, value]) => value !== undefined || READ.includes(key),
    );
    return { props: Object.fromEntries(used), opts };
}

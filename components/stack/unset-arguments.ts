import type * as pulumi from "@pulumi/pulumi";

/** Attributes that the cloud chooses and the components read: address of a CLB, DNS name of an NLB. */
const READ: readonly string[] = ["address", "dnsName"];

/**
 * Omits arguments of cloud resources that are not given. The SDK makes an Output with half a dozen promises for each of
 * them, sixty for a listener: most of a program's memory and much of its time. The engine gets the same either way.
 * Only for a program whose resources nobody else reads: the attributes are missing there.
 */
export function omitUnset({
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

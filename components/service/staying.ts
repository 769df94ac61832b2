import type * as pulumi from "@pulumi/pulumi";
import { BINDING_TYPE } from "./binding";

/**
 * Children stay where they are when they leave the stack; only the claim acts then, which gives the Service away, and bindings, which would keep the sync controller on it.
 *
 * @param component type of the component.
 */
export function staying(
    component: string,
    opts: pulumi.ComponentResourceOptions = {},
): pulumi.ComponentResourceOptions {
    const retain: pulumi.ResourceTransformation = ({ type, props, opts: own }) =>
        type.endsWith(":ServiceClaim") || type === BINDING_TYPE || type === component
            ? undefined
            : { props, opts: { ...own, retainOnDelete: true } };
    return { ...opts, transformations: [...(opts.transformations ?? []), retain] };
}

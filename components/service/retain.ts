/** Children of a component that is handed back. */
import * as pulumi from "@pulumi/pulumi";
import { API_GROUP, API_VERSION, BINDING_KIND } from "../../provider/sync/binding/spec";

const BINDING_TYPE = `kubernetes:${API_GROUP}/${API_VERSION}:${BINDING_KIND}`;

/**
 * Retains all children when they leave the stack, except the claim, which hands the Service back, and bindings, which
 * would keep the sync controller on it.
 *
 * @param component type of the component
 */
export function retainChildren(
    component: string,
    opts: pulumi.ComponentResourceOptions = {},
): pulumi.ComponentResourceOptions {
    const retain: pulumi.ResourceTransformation = ({ type, props, opts: own }) =>
        type.endsWith(":ServiceClaim") || type === BINDING_TYPE || type === component
            ? undefined
            : { props, opts: { ...own, retainOnDelete: true } };
    return { ...opts, transformations: [...(opts.transformations ?? []), retain] };
}

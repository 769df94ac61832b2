import * as slb from "@pulumi/alicloud/slb";
import type { ClbListener } from "../../provider/model/clb";
import { takeOver } from "../service/take-over";
import { type Context, childName } from "../service/context";
import { sweepHooks } from "./hooks";
import type { InstanceHandle } from "../service/instance";

/** Certificates of further domains of an HTTPS listener, one resource for each domain. They go with their listener, without a call each. */
export function createDomainExtensions(
    context: Context,
    instance: InstanceHandle,
    model: ClbListener,
    listener: slb.Listener,
): slb.DomainExtension[] {
    const hooks = sweepHooks(context.account).domainExtension;
    return (model.tls?.domains ?? []).map(
        ({ domain, certId }) =>
            new slb.DomainExtension(
                childName(context, `${model.key}/${domain}`),
                { loadBalancerId: instance.id, frontendPort: model.port, domain, serverCertificateId: certId },
                // A replaced listener keeps its id, so nothing else would tell that its domains are gone.
                {
                    parent: context.parent,
                    dependsOn: listener,
                    deletedWith: listener,
                    replaceWith: [listener],
                    deleteBeforeReplace: true,
                    hooks,
                    ...takeOver(context.adoption?.domainExtensions[`${model.key}/${domain}`]),
                },
            ),
    );
}

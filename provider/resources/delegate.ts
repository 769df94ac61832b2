import type * as pulumi from "@pulumi/pulumi";
import type * as backends from "../deploy/handlers/backends";
import type * as claim from "../deploy/handlers/claim";
import type * as acl from "../deploy/handlers/clb/acl";
import type * as aclCheck from "../deploy/handlers/clb/acl-check";
import type * as certificate from "../deploy/handlers/clb/certificate";
import type * as listener from "../deploy/handlers/clb/listener";
import type * as vswitch from "../deploy/handlers/clb/vswitch";
import type * as contract from "../deploy/handlers/contract";
import type * as certificateCheck from "../deploy/handlers/nlb/certificate-check";
import type * as certificates from "../deploy/handlers/nlb/certificates";
import type * as securityGroup from "../deploy/handlers/nlb/security-group";
import type * as serverGroup from "../deploy/handlers/nlb/server-group";
import type * as zoneCheck from "../deploy/handlers/nlb/zone-check";
import type * as zones from "../deploy/handlers/nlb/zones";
import type * as release from "../deploy/handlers/release";
import type * as reused from "../deploy/handlers/reused";
import type * as status from "../deploy/handlers/status";

/** Handlers by their path below `provider/deploy/handlers`. Types only: a program loads no handler. */
export interface Handlers {
    readonly backends: typeof backends;
    readonly claim: typeof claim;
    readonly "clb/acl": typeof acl;
    readonly "clb/acl-check": typeof aclCheck;
    readonly "clb/certificate": typeof certificate;
    readonly "clb/listener": typeof listener;
    readonly "clb/vswitch": typeof vswitch;
    readonly contract: typeof contract;
    readonly "nlb/certificate-check": typeof certificateCheck;
    readonly "nlb/certificates": typeof certificates;
    readonly "nlb/security-group": typeof securityGroup;
    readonly "nlb/server-group": typeof serverGroup;
    readonly "nlb/zone-check": typeof zoneCheck;
    readonly "nlb/zones": typeof zones;
    readonly release: typeof release;
    readonly reused: typeof reused;
    readonly status: typeof status;
}

/** Exactly the methods of a handler: one more or less does not compile. */
export type Methods<Handler> = {
    readonly [Method in keyof Handler as Method extends keyof pulumi.dynamic.ResourceProvider ? Method : never]: true;
};

/**
 * Returns a dynamic provider whose methods call the handler of the installed package.
 *
 * Pulumi stores the text of the methods with every resource. The text is the same for every handler and version: it
 * captures only the handler's name. It is evaluated outside of the package, so it loads the handler by a subpath of
 * the package.
 */
export function delegate<Name extends keyof Handlers>(
    handler: Name,
    methods: Methods<Handlers[Name]>,
): pulumi.dynamic.ResourceProvider {
    const provider: pulumi.dynamic.ResourceProvider = {
        check: async (olds, news) => require(`ack-loadbalancer/dynamic/${handler}`).check(olds, news),
        diff: async (id, olds, news) => require(`ack-loadbalancer/dynamic/${handler}`).diff(id, olds, news),
        create: async (inputs) => require(`ack-loadbalancer/dynamic/${handler}`).create(inputs),
        read: async (id, props) => require(`ack-loadbalancer/dynamic/${handler}`).read(id, props),
        update: async (id, olds, news) => require(`ack-loadbalancer/dynamic/${handler}`).update(id, olds, news),
        delete: async (id, props) => require(`ack-loadbalancer/dynamic/${handler}`).delete(id, props),
    };
    // A method that a handler does not have must be absent: the engine compares and reads in its own way without it.
    return Object.fromEntries(
        Object.entries(provider).filter(([method]) => method in methods),
    ) as unknown as pulumi.dynamic.ResourceProvider;
}

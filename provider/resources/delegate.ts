import type * as pulumi from "@pulumi/pulumi";
import type * as backends from "./handlers/backends";
import type * as claim from "./handlers/claim";
import type * as acl from "./handlers/clb/acl";
import type * as aclCheck from "./handlers/clb/acl-check";
import type * as certificate from "./handlers/clb/certificate";
import type * as listener from "./handlers/clb/listener";
import type * as vswitch from "./handlers/clb/vswitch";
import type * as contract from "./handlers/contract";
import type * as certificateCheck from "./handlers/nlb/certificate-check";
import type * as certificates from "./handlers/nlb/certificates";
import type * as securityGroup from "./handlers/nlb/security-group";
import type * as serverGroup from "./handlers/nlb/server-group";
import type * as zoneCheck from "./handlers/nlb/zone-check";
import type * as zones from "./handlers/nlb/zones";
import type * as release from "./handlers/release";
import type * as reused from "./handlers/reused";
import type * as status from "./handlers/status";

/** Handlers by their path below `provider/resources/handlers`. Types only: a program loads no handler. */
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

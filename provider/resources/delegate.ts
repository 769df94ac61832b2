import type * as pulumi from "@pulumi/pulumi";

/** Handlers by their path below `provider/resources/handlers`. Types only: a program loads no handler. */
export interface Handlers {
    readonly backends: typeof import("./handlers/backends");
    readonly claim: typeof import("./handlers/claim");
    readonly "clb/acl": typeof import("./handlers/clb/acl");
    readonly "clb/acl-check": typeof import("./handlers/clb/acl-check");
    readonly "clb/certificate": typeof import("./handlers/clb/certificate");
    readonly "clb/listener": typeof import("./handlers/clb/listener");
    readonly "clb/vswitch": typeof import("./handlers/clb/vswitch");
    readonly contract: typeof import("./handlers/contract");
    readonly "nlb/certificate-check": typeof import("./handlers/nlb/certificate-check");
    readonly "nlb/certificates": typeof import("./handlers/nlb/certificates");
    readonly "nlb/security-group": typeof import("./handlers/nlb/security-group");
    readonly "nlb/server-group": typeof import("./handlers/nlb/server-group");
    readonly "nlb/zone-check": typeof import("./handlers/nlb/zone-check");
    readonly "nlb/zones": typeof import("./handlers/nlb/zones");
    readonly release: typeof import("./handlers/release");
    readonly reused: typeof import("./handlers/reused");
    readonly status: typeof import("./handlers/status");
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

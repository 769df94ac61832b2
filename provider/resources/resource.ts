/** Classes of dynamic resources, made from the types of their handlers. */
// The SDK as a whole loads a package manager and a compiler, for which the plugin's start would wait.
import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource";
import { dynamicType, HANDLERS, type ResourceType, servedType } from "../schema/own-types";

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
    readonly "hand-back": typeof import("./handlers/hand-back");
    readonly "nlb/certificate-check": typeof import("./handlers/nlb/certificate-check");
    readonly "nlb/certificates": typeof import("./handlers/nlb/certificates");
    readonly "nlb/security-group": typeof import("./handlers/nlb/security-group");
    readonly "nlb/server-group": typeof import("./handlers/nlb/server-group");
    readonly "nlb/zone-check": typeof import("./handlers/nlb/zone-check");
    readonly "nlb/zones": typeof import("./handlers/nlb/zones");
    readonly release: typeof import("./handlers/release");
    readonly remnant: typeof import("./handlers/remnant");
    readonly reused: typeof import("./handlers/reused");
    readonly status: typeof import("./handlers/status");
}

/** A value of a handler's inputs as a program gives it: itself, and everything in it, may be an Output. */
export type Arg<Value> = pulumi.Input<
    Value extends object ? { readonly [Name in keyof Value]: Arg<Value[Name]> } : Value
>;

type InputsOf<Name extends keyof Handlers> = Parameters<Handlers[Name]["create"]>[0];

export type ResourceArgs<Name extends keyof Handlers> = {
    readonly [Field in keyof InputsOf<Name>]: Arg<InputsOf<Name>[Field]>;
};

interface Options<Field> {
    /** Fields whose change replaces the resource. Default: none. */
    readonly replaceOnChanges?: readonly Field[];
    /** Fields that the handler's `check` fills in, and that no program gives. Default: none. */
    readonly computed?: readonly Field[];
}

type Resource<Inputs> = pulumi.CustomResource & {
    readonly [Field in keyof Inputs]-?: pulumi.Output<Exclude<Inputs[Field], undefined>>;
};

/**
 * Module that Pulumi's dynamic provider evaluates to find the methods of a resource. It is stored with each resource,
 * twice, and evaluated outside of the package, so it loads the handler by a subpath of the package.
 */
const providerOf = (handler: keyof Handlers): string =>
    `exports.handler = () => require("ack-loadbalancer/dynamic/${handler}");`;

let isServed = false;

/**
 * Registers resources of this package's own plugin from now on, instead of dynamic ones. For the plugin's process: the
 * engine starts dynamic providers in the folder of the program, which in another language has no packages of Node.
 */
export function registerServed(): void {
    isServed = true;
}

/**
 * Makes the class of a dynamic resource, which in the plugin is one of the plugin's.
 *
 * It registers what `pulumi.dynamic.Resource` registers, except for the provider's text: that class parses and
 * serializes the methods, which takes time in each run and makes the text twenty times as long.
 *
 * @param type name of the resource's type, without the package. Its methods are the exports of its handler
 */
export function resource<Type extends ResourceType>(
    type: Type,
    { replaceOnChanges = [], computed = [] }: Options<keyof InputsOf<(typeof HANDLERS)[Type]> & string> = {},
) {
    class HandledResource extends CustomResource {
        constructor(name: string, args: ResourceArgs<(typeof HANDLERS)[Type]>, opts?: pulumi.CustomResourceOptions) {
            const unknown = Object.fromEntries(computed.map((field) => [field, undefined]));
            const replacing = [...replaceOnChanges, ...(opts?.replaceOnChanges ?? [])];
            const [own, other] = isServed ? [servedType, dynamicType] : [dynamicType, servedType];
            super(
                own(type),
                name,
                // In the plugin, too: a program in TypeScript may take the resource over.
                { ...args, ...unknown, __provider: providerOf(HANDLERS[type]) },
                {
                    ...opts,
                    aliases: [{ type: other(type) }, ...(opts?.aliases ?? [])],
                    ...(replacing.length > 0 && { replaceOnChanges: replacing }),
                },
            );
        }
    }
    return HandledResource as unknown as new (
        ...args: ConstructorParameters<typeof HandledResource>
    ) => Resource<InputsOf<(typeof HANDLERS)[Type]>>;
}

/** Classes of dynamic resources, made from the types of their handlers. */
import * as pulumi from "@pulumi/pulumi";
import { delegate, type Handlers, type Methods } from "./delegate";

/** A value of a handler's inputs as a program gives it: itself, and everything in it, may be an Output. */
type Arg<Value> = pulumi.Input<Value extends object ? { readonly [Name in keyof Value]: Arg<Value[Name]> } : Value>;

/** Inputs of a handler, whose fields it documents. */
type InputsOf<Name extends keyof Handlers> = Parameters<Handlers[Name]["create"]>[0];

/** Arguments of a handler's resource. */
export type ResourceArgs<Name extends keyof Handlers> = {
    readonly [Field in keyof InputsOf<Name>]: Arg<InputsOf<Name>[Field]>;
};

interface Options<Field> {
    /** Fields whose change replaces the resource. Default: none. */
    readonly replaceOnChanges?: readonly Field[];
    /** Fields that the handler's `check` fills in; a program gives none of them. Default: none. */
    readonly computed?: readonly Field[];
}

/** A resource with the fields of its handler's inputs. */
type Resource<Inputs> = pulumi.dynamic.Resource & {
    readonly [Field in keyof Inputs]-?: pulumi.Output<Exclude<Inputs[Field], undefined>>;
};

/**
 * Makes the class of a dynamic resource.
 *
 * @param handler path of its handler below `provider/resources/handlers`
 * @param type name of the resource's type, without the package
 * @param methods the handler's methods
 */
export function resource<Name extends keyof Handlers>(
    handler: Name,
    type: string,
    methods: Methods<Handlers[Name]>,
    { replaceOnChanges = [], computed = [] }: Options<keyof InputsOf<Name> & string> = {},
) {
    const provider = delegate(handler, methods);
    class HandledResource extends pulumi.dynamic.Resource {
        constructor(name: string, args: ResourceArgs<Name>, opts?: pulumi.CustomResourceOptions) {
            const unknown = Object.fromEntries(computed.map((field) => [field, undefined]));
            const replacing = [...replaceOnChanges, ...(opts?.replaceOnChanges ?? [])];
            super(
                provider,
                name,
                { ...args, ...unknown },
                replacing.length === 0 ? opts : { ...opts, replaceOnChanges: replacing },
                "ack-loadbalancer",
                type,
            );
        }
    }
    return HandledResource as unknown as new (
        ...args: ConstructorParameters<typeof HandledResource>
    ) => Resource<InputsOf<Name>>;
}

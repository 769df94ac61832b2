/** Custom resources of the plugin: what the engine asks is answered by the handlers of dynamic resources. */
import type * as pulumi from "@pulumi/pulumi";
import { defined } from "../../provider/schema/defined";
import { HANDLERS, isResourceType } from "../../provider/schema/own-types";
import { asSecret, hasSecret, withoutSecrets } from "../../provider/schema/secrets";

type Properties = Record<string, unknown>;

/** Methods of a handler, of which it has some. */
interface Handler {
    readonly check?: (olds: Properties, news: Properties) => Promise<pulumi.provider.CheckResult>;
    readonly diff?: (id: string, olds: Properties, news: Properties) => Promise<pulumi.provider.DiffResult>;
    readonly create: (inputs: Properties) => Promise<pulumi.provider.CreateResult>;
    readonly read?: (id: string, props: Properties) => Promise<Partial<pulumi.provider.ReadResult>>;
    readonly update: (id: string, olds: Properties, news: Properties) => Promise<pulumi.provider.UpdateResult>;
    readonly delete?: (id: string, props: Properties) => Promise<void>;
}

async function handlerOf(urn: string): Promise<Handler> {
    // urn:pulumi:<stack>::<project>::<types of the parents>$<type>::<name>
    const type = urn.split("::")[2]?.split(":").at(-1) ?? "";
    if (!isResourceType(type)) throw new Error(`ack-loadbalancer has no resource of the type ${type}`);
    return (await import(`../../provider/resources/handlers/${HANDLERS[type]}.js`)) as Handler;
}

/**
 * Methods of Pulumi's provider interface for custom resources.
 *
 * The SDK accepts secrets for a provider, and handlers know none, as with dynamic resources: values are unwrapped, and
 * properties of the result are secret where the inputs of their names are.
 */
export const handled = {
    check: async (urn: string, olds: Properties, news: Properties): Promise<pulumi.provider.CheckResult> => {
        const { check } = await handlerOf(urn);
        if (check === undefined) return { inputs: news };
        const { inputs, failures = [] } = await check(withoutSecrets(olds), withoutSecrets(news));
        return { inputs: asGiven(news, inputs), failures: [...failures] };
    },
    /** Without a method of the handler the engine compares the inputs. */
    diff: async (id: string, urn: string, olds: Properties, news: Properties): Promise<pulumi.provider.DiffResult> => {
        const { diff } = await handlerOf(urn);
        return (await diff?.(id, withoutSecrets(olds), withoutSecrets(news))) ?? {};
    },
    create: async (urn: string, inputs: Properties): Promise<pulumi.provider.CreateResult> => {
        const handler = await handlerOf(urn);
        const { id, outs } = await failingAsGiven([inputs], () => handler.create(withoutSecrets(inputs)));
        return { id, outs: asGiven(inputs, outs) };
    },
    /** Without a method of the handler a resource is as recorded. With an empty answer it is gone. */
    read: async (id: string, urn: string, props: Properties = {}): Promise<pulumi.provider.ReadResult> => {
        const { read } = await handlerOf(urn);
        if (read === undefined) return { id, props };
        const found = await read(id, withoutSecrets(props));
        return {
            id: found.id ?? "",
            props: asGiven(props, found.props ?? {}),
            inputs: found.inputs && asGiven(props, found.inputs as Properties),
        };
    },
    update: async (
        id: string,
        urn: string,
        olds: Properties,
        news: Properties,
    ): Promise<pulumi.provider.UpdateResult> => {
        const handler = await handlerOf(urn);
        const { outs } = await failingAsGiven([olds, news], () =>
            handler.update(id, withoutSecrets(olds), withoutSecrets(news)),
        );
        return { outs: asGiven(news, outs as Properties) };
    },
    delete: async (id: string, urn: string, props: Properties): Promise<void> => {
        await (await handlerOf(urn)).delete?.(id, withoutSecrets(props));
    },
};

/**
 * Returns the result of a write. The properties of a failed write, which the engine records, are secret like those of
 * the inputs, of which they have some former and some new values.
 */
async function failingAsGiven<Result>(given: readonly Properties[], write: () => Promise<Result>): Promise<Result> {
    try {
        return await write();
    } catch (error) {
        if (!(error instanceof Error) || !("properties" in error)) throw error;
        const properties = given.reduce((found, one) => asGiven(one, found), error.properties as Properties);
        throw Object.assign(error, { properties });
    }
}

/** Returns properties with the provider's text, secret where those of the same name are or have secrets. */
function asGiven(given: Properties, properties: Properties): Properties {
    const { __provider } = given;
    const marked = Object.entries({ ...properties, ...defined({ __provider }) }).map(([name, value]) => [
        name,
        hasSecret(given[name]) && !hasSecret(value) ? asSecret(value) : value,
    ]);
    return Object.fromEntries(marked) as Properties;
}

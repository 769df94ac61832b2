import { Clock } from "./clock";
import { failed, isOneOf, isPassing } from "./errors";
import { endpointOf } from "./endpoints";
import { flattenArguments, type Arguments } from "./flatten";
import { callLegacy, parseTyped } from "./legacy";
import type { Product } from "./names";
import { retry } from "./retry";
import type { Settings } from "./settings";
import { callTea, type Answer } from "./tea";

export interface CallOptions {
    readonly product?: Product;
    readonly query?: Arguments;
    readonly autoRetry?: boolean;
    readonly method?: "GET" | "POST";
}

export interface Attempts {
    /** Limit in seconds. Default five minutes. */
    readonly limit?: number;
    /**
     * Pauses in seconds before the second attempt and before later attempts, in addition to the growing pause. Default
     * 3 and 3.
     */
    readonly pauses?: readonly [number, number];
    /** Error codes after which to repeat, besides those that always pass. */
    readonly also?: readonly string[];
    /** Turns the last error into the error to throw. */
    readonly fail?: { readonly place: string; readonly subject: string };
}

/** Cloud during one operation of the plugin. */
export class Client {
    readonly clock = new Clock();

    constructor(readonly settings: Settings) {}

    get region(): string {
        return this.settings.region;
    }

    /** Makes a typed call of the older SDK (form A). Empty parameters are left out. */
    async typed(action: string, parameters: Arguments, product: Product = "slb"): Promise<Answer> {
        const given = Object.fromEntries(
            Object.entries(flattenArguments(parameters)).filter(([, value]) => value !== ""),
        );
        const endpoint = await endpointOf(this, product);
        const answer = await callLegacy(this.settings, this.clock, {
            form: "A",
            product,
            endpoint,
            action,
            parameters: given,
        });
        return parseTyped(answer.body);
    }

    /** Makes a common request of the older SDK (form B) and returns the body's text. Empty parameters are sent. */
    async common(action: string, parameters: Record<string, string>): Promise<string> {
        const endpoint = await endpointOf(this, "slb");
        return (
            await callLegacy(this.settings, this.clock, { form: "B", product: "slb", endpoint, action, parameters })
        ).body;
    }

    /** Form C, once. */
    async call(action: string, body: Arguments | undefined, options: CallOptions = {}): Promise<Answer> {
        const product = options.product ?? "slb";
        const endpoint = await endpointOf(this, product);
        return callTea(this.settings, this.clock, {
            product,
            endpoint,
            action,
            body,
            query: options.query,
            method: options.method ?? "POST",
            autoRetry: options.autoRetry ?? false,
        });
    }

    /** Form C, repeated while the trouble passes. */
    async callPatiently(
        action: string,
        body: Arguments | undefined,
        options: CallOptions & Attempts = {},
    ): Promise<Answer> {
        try {
            return await retry(
                this.clock,
                {
                    limit: options.limit ?? 300,
                    pauses: options.pauses ?? [3, 3],
                    when: (error) => isPassing(error) || isOneOf(error, ...(options.also ?? [])),
                },
                () => this.call(action, body, options),
            );
        } catch (error) {
            if (options.fail === undefined) throw error;
            throw failed(error, options.fail.place, options.fail.subject, action);
        }
    }
}

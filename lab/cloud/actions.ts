import type { JsonObject, ParamSpecs, Params } from "./core";
import type { World } from "./world";

/** The cloud's products that take part in a lab. */
export type Product = "Slb" | "Nlb" | "Vpc" | "Ecs" | "Location" | "BssOpenApi" | "Sts" | "Quotas" | "Cas";

/** API version of each product. A request is dispatched by its version and action. */
export const VERSIONS: Readonly<Record<Product, string>> = {
    Slb: "2014-05-15",
    Nlb: "2022-04-30",
    Vpc: "2016-04-28",
    Ecs: "2014-05-26",
    Location: "2015-06-12",
    BssOpenApi: "2017-12-14",
    Sts: "2015-04-01",
    Quotas: "2020-05-10",
    Cas: "2020-04-07",
};

/**
 * Origin of a request: `api` a signed client, `console` a user of the web console (stopped by modification protection),
 * `other` a tool outside the lab's programs, `seed` the lab itself.
 */
export type Origin = "api" | "console" | "other" | "seed";

/** Input of an action besides its parameters. */
export interface Caller {
    readonly origin: Origin;
    readonly requestId: string;
    /** A fault wants the call's job to fail: the call is accepted, but nothing comes of it. */
    readonly jobFails: boolean;
    /** Temporary keys of the account that a role belongs to. */
    readonly assumeRole: (roleArn: string) => JsonObject;
}

export interface Action {
    readonly name: string;
    /** False for actions that only read. */
    readonly mutates: boolean;
    /** Limits of single parameters, as the API reference gives them. */
    readonly params: ParamSpecs;
    readonly run: (params: Params, world: World, caller: Caller) => JsonObject | void;
}

/** Declares an action that changes something. */
export function writes(name: string, params: ParamSpecs, run: Action["run"]): Action {
    return { name, mutates: true, params, run };
}

/** Declares an action that only reads. */
export function reads(name: string, params: ParamSpecs, run: Action["run"]): Action {
    return { name, mutates: false, params, run };
}

import { toAttributes, withoutReserved } from "../bridge/inputs";
import { toProperties } from "../bridge/outputs";
import { withoutNulls, type PropertyMap } from "../bridge/properties";
import type { Client } from "../sdk/client";
import { asError, PluginPanic } from "../sdk/errors";
import { ResourceData } from "../terraform/data";
import { diffOf } from "../terraform/diff";
import type { ValueMap } from "../terraform/value";
import { valuesOf } from "../terraform/state";
import { validate } from "../terraform/validate";
import type { FunctionType } from "../types/type";

export interface Invoked {
    readonly result?: PropertyMap;
    readonly failures: string[];
    readonly warnings: string[];
}

export async function invoke(type: FunctionType, args: PropertyMap, client: Client): Promise<Invoked> {
    const inputs = toAttributes(undefined, withoutNulls(args), type.schema, { defaults: true, schemaDefaults: true });
    const config = withoutReserved(inputs) as ValueMap;
    const findings = validate(config, type.schema);
    const warnings = findings.warnings.map((text) => `${type.token} verification warning: ${text}`);
    if (findings.errors.length > 0) return { failures: findings.errors, warnings };
    const data = new ResourceData(type.schema, { difference: diffOf(type.schema, undefined, config) });
    try {
        await type.read(data, client);
    } catch (error) {
        if (error instanceof PluginPanic) throw error;
        throw new Error(`invoking ${type.token}: ${asError(error).message}`, { cause: error });
    }
    const state = data.toState();
    const result = toProperties(valuesOf(state, undefined, type.schema), type.schema);
    result["id"] ??= state?.id ?? "";
    return { result, failures: [], warnings };
}

import * as pulumi from "@pulumi/pulumi";
import { type FieldPath, isMapping } from "../../provider/diagnostics";
import { findOutputs } from "./misplaced";
import { isOutput, placeholderFor, portPlaceholder } from "./outputs";
import { defined } from "../../provider/schema/defined";

/** What of a Service is given to the API server as the other resource says it, and not looked at here. */
export interface SeparateMaps {
    readonly labels?: pulumi.Output<Readonly<Record<string, string>>>;
    readonly selector?: pulumi.Output<Readonly<Record<string, string>>>;
}

/** A Service as plain data, and what was taken out of it. */
export interface SeparatedService {
    readonly object: object;
    readonly maps: SeparateMaps;
    /** Fields that hold an Output and must not. */
    readonly misplaced: readonly FieldPath[];
}

/** Stands for a selector that is an Output, in what is checked; the Service that is applied has the Output. */
const KNOWN_LATER = { "ack-loadbalancer.io/selector": "output" };

/**
 * Puts placeholders in the place of the Outputs that a Service may have.
 *
 * @param name unique name of its component.
 */
export function separateOutputs(object: object, name: string): SeparatedService {
    const { metadata, spec, ...rest } = object as Record<string, unknown>;
    if (!isPlainMapping(metadata) || !isPlainMapping(spec)) {
        return { object, maps: {}, misplaced: findOutputs(object) };
    }
    const labels = mapOutput(metadata["labels"]);
    const selector = mapOutput(spec["selector"]);
    const { labels: _, ...withoutLabels } = metadata;
    const plain = {
        ...rest,
        metadata: {
            ...(labels === undefined ? metadata : withoutLabels),
            ...placeholders(metadata, name),
        },
        spec: {
            ...spec,
            ...(selector && { selector: KNOWN_LATER }),
            ...(Array.isArray(spec["ports"])
                ? { ports: spec["ports"].map((port, index) => portOf(port, index, name)) }
                : {}),
        },
    };
    return {
        object: plain,
        maps: defined({ labels, selector }),
        misplaced: findOutputs(plain),
    };
}

function isPlainMapping(value: unknown): value is Record<string, unknown> {
    return isMapping(value) && !isOutput(value) && !pulumi.Resource.isInstance(value);
}

/** A map that is an Output, or has one in it. */
function mapOutput(map: unknown): pulumi.Output<Record<string, string>> | undefined {
    const inside = isPlainMapping(map) ? Object.values(map) : [];
    return isOutput(map) || inside.some(isOutput)
        ? pulumi.output(map as pulumi.Input<Record<string, string>>)
        : undefined;
}

function placeholders(metadata: Readonly<Record<string, unknown>>, scope: string): Record<string, string> {
    return Object.fromEntries(
        ["namespace", "name"].flatMap((field) =>
            isOutput(metadata[field])
                ? [[field, placeholderFor(scope, `metadata.${field}`, metadata[field] as pulumi.Input<string>)]]
                : [],
        ),
    );
}

function portOf(port: unknown, index: number, scope: string): unknown {
    return isPlainMapping(port) && isOutput(port["targetPort"])
        ? { ...port, targetPort: portPlaceholder(scope, `spec.ports[${index}].targetPort`, port["targetPort"]) }
        : port;
}

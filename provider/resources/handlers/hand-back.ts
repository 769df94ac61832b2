/**
 * Record of the Services that a GitOps stack hands back. The engine deletes according to its state: a Service that
 * leaves the folder before a run has recorded `handBack` would be deleted with its load balancer.
 */
import { type Checked, recording, refuse } from "./handler";

interface HandBackInputs {
    /** Name of the record. */
    readonly service: string;
    /** Services to hand back, as `namespace/name`. */
    readonly services: readonly string[];
    /** Services to hand back that the folder does not have. Never stored. */
    readonly left?: readonly string[];
}

export const { create, update } = recording<HandBackInputs>();

/** Refuses Services that leave the folder before they are recorded. */
export async function check(
    olds: Partial<HandBackInputs>,
    { left = [], ...news }: HandBackInputs,
): Promise<Checked<HandBackInputs>> {
    const early = left.filter((service) => olds.services?.includes(service) !== true);
    return refuse(
        news,
        early.map(
            (service) =>
                `Service ${service} is to be handed back, and has left the folder of manifests before a run has ` +
                "recorded that: its load balancer would be deleted. Remedy: restore its manifest and run pulumi up " +
                "with handBack, then remove the manifest and run pulumi up again; if it has been handed back " +
                "already, take it off handBack.",
        ),
    );
}

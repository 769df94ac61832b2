import * as pulumi from "@pulumi/pulumi";
import type { ClbDesired } from "../../provider/builder";
import type { ObservedClbListener } from "../../provider/model/observed";
import type { Backends } from "../../provider/model/backend";
import { portKey } from "../../provider/model/clb/listener";
import type { Attributes } from "../../provider/plan/adoption";
import type { ReferenceArgs } from "../service/args";

/** A vServer group as the Service specifies it. */
export interface DesiredGroup {
    readonly key: string;
    readonly name: string;
    /** nodePort of a group whose backends are ECS instances. */
    readonly nodePort?: number;
    readonly backends: Backends;
}

/** The desired load balancer, as far as it is known before anything is made. */
export interface AdoptionSpec {
    readonly desired: ClbDesired;
    readonly references: ReferenceArgs;
    readonly uid: string;
    readonly clusterId: string;
    /** Any ownership key of the Service. */
    readonly owner: string;
    readonly groups: readonly DesiredGroup[];
    readonly ignoreWeights: boolean;
    readonly allowEmpty: boolean;
}

/** Without what is known only once another resource is there. */
export function known(attributes: Attributes): Attributes {
    return Object.fromEntries(
        Object.entries(attributes).filter(
            ([, value]) =>
                !pulumi.Output.isInstance(value) &&
                !(Array.isArray(value) && value.some((one) => pulumi.Output.isInstance(one))),
        ),
    );
}

/** Key of the port that a listener takes up. */
export function keyOf({ protocol, port }: Pick<ObservedClbListener, "protocol" | "port">): string {
    return portKey({ port, protocol: protocol === "udp" ? "UDP" : "TCP" });
}

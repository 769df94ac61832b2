/** Resource plugin, for programs in any language: `pulumi-resource-ack-loadbalancer <engine address>`. */
import * as fs from "node:fs";
import * as path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type * as pulumi from "@pulumi/pulumi";
import { main } from "@pulumi/pulumi/provider";
import { endWithEngine } from "../../provider/host/engine";
import { packageVersion } from "../../provider/host/version";
import { registerServed } from "../../provider/resources/resource";
import { handled } from "./handled";

const SCHEMA = path.join(__dirname, "../../../components/plugin/schema.json");

/** Time in milliseconds until all components of a program are asked for, and most time for their checks. */
const ASKED = 1000;
const CHECKED = 5000;

/** Components that are neither made nor refused. */
const pending = new Set<Promise<unknown>>();

/** Moment at which the failures of components that are made together are answered together. */
let answered: Promise<unknown> | undefined;

const allChecked = () => delay(ASKED).then(() => Promise.race([Promise.all(pending), delay(CHECKED)]));

/**
 * Constructs a component for a program. The engine ends a program at its first failure, so the failures of components
 * that are made at the same time are answered at the same time.
 */
async function construct(
    ...args: Parameters<NonNullable<pulumi.provider.Provider["construct"]>>
): Promise<pulumi.provider.ConstructResult> {
    // Loads the SDKs of alicloud and kubernetes, which a deletion does not need.
    const made = import("./construct.js").then((components) => components.construct(...args));
    const settled: Promise<unknown> = Promise.allSettled([made]).then(() => pending.delete(settled));
    pending.add(settled);
    try {
        return await made;
    } catch (error) {
        await (answered ??= allChecked());
        throw error;
    }
}

endWithEngine();
registerServed();
void main(
    {
        version: packageVersion(),
        getSchema: () => fs.promises.readFile(SCHEMA, "utf8"),
        construct,
        ...handled,
    },
    process.argv.slice(2),
);

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

/** Time in milliseconds for the checks of components that a program makes together. */
const CHECKED_TOGETHER = 1000;

/**
 * Constructs a component for a program. The engine ends a program at its first failure: a failure waits until the
 * components that are made at the same time have said theirs.
 */
async function construct(
    ...args: Parameters<NonNullable<pulumi.provider.Provider["construct"]>>
): Promise<pulumi.provider.ConstructResult> {
    // Loads the SDKs of alicloud and kubernetes, which a deletion does not need.
    const components = await import("./construct.js");
    try {
        return await components.construct(...args);
    } catch (error) {
        await delay(CHECKED_TOGETHER);
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

/** Resource plugin, for programs in any language: `pulumi-resource-ack-loadbalancer <engine address>`. */
import * as fs from "node:fs";
import * as path from "node:path";
import { main } from "@pulumi/pulumi/provider";
import { endWithEngine } from "../../provider/host/engine";
import { packageVersion } from "../../provider/host/version";
import { registerServed } from "../../provider/resources/resource";
import { handled } from "./handled";

const SCHEMA = path.join(__dirname, "../../../components/plugin/schema.json");

endWithEngine();
registerServed();
void main(
    {
        version: packageVersion(),
        getSchema: () => fs.promises.readFile(SCHEMA, "utf8"),
        // Loads the SDKs of alicloud and kubernetes, which a deletion does not need.
        construct: async (...args) => (await import("./construct.js")).construct(...args),
        ...handled,
    },
    process.argv.slice(2),
);

/** Resource plugin, for programs in any language: `pulumi-resource-ack-loadbalancer <engine address>`. */
import * as fs from "node:fs";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { registerServed } from "../../provider/resources/resource";
import { construct } from "./construct";
import { handled } from "./handled";

const ROOT = path.join(__dirname, "../../..");

const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };

registerServed();
void pulumi.provider.main(
    {
        version,
        getSchema: () => fs.promises.readFile(path.join(ROOT, "components/plugin/schema.json"), "utf8"),
        construct,
        ...handled,
    },
    process.argv.slice(2),
);

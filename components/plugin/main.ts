/** Resource plugin, for programs in any language: `pulumi-resource-ack-loadbalancer <engine address>`. */
import * as fs from "node:fs";
import { connect } from "node:net";
import * as path from "node:path";
import { main } from "@pulumi/pulumi/provider";
import { registerServed } from "../../provider/resources/resource";
import { handled } from "./handled";

const ROOT = path.join(__dirname, "../../..");

const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };

/** Ends the process once the engine no longer listens, as after a crash of the CLI: nothing else would end it. */
function endWithEngine(address: string): void {
    const port = Number(address.split(":").at(-1));
    const look = (): void => {
        const socket = connect(port, "127.0.0.1", () => void socket.destroy());
        socket.once("error", () => process.exit());
    };
    setInterval(look, 5_000).unref();
}

const [engine] = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
if (engine !== undefined) endWithEngine(engine);
registerServed();
void main(
    {
        version,
        getSchema: () => fs.promises.readFile(path.join(ROOT, "components/plugin/schema.json"), "utf8"),
        // Loads the SDKs of alicloud and kubernetes, which a deletion does not need.
        construct: async (...args) => (await import("./construct.js")).construct(...args),
        ...handled,
    },
    process.argv.slice(2),
);

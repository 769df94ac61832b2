import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startCloud } from "./server";

const USAGE = `usage: main.js serve --dir DIR [options]

  --port N                     port to listen on; 0 (default) takes any free one
  --region ID                  region of all objects; default cn-hangzhou
  --access-key-id ID           key id that clients sign with; default: made up
  --access-key-secret-file F   file with the secret; default: made up
  --lenient                    enforce only the rules that clients depend on
  --detach                     go on when the process that started this one ends

Writes DIR/cloud.json (port, url, pid, certificate, key id, file of the secret) when ready. SIGTERM or SIGINT ends it.
`;

/** Interval of the checks for the owner, in milliseconds. */
const OWNER_CHECK = 1000;

function watchOwner(stop: () => void): void {
    const owner = process.ppid;
    // A process whose parent has ended gets another parent.
    setInterval(() => {
        if (process.ppid !== owner) stop();
    }, OWNER_CHECK).unref();
}

async function serve(args: readonly string[]): Promise<void> {
    const { values } = parseArgs({
        args: [...args],
        options: {
            dir: { type: "string" },
            port: { type: "string", default: "0" },
            region: { type: "string", default: "cn-hangzhou" },
            "access-key-id": { type: "string" },
            "access-key-secret-file": { type: "string" },
            lenient: { type: "boolean", default: false },
            detach: { type: "boolean", default: false },
        },
    });
    if (values.dir === undefined) throw new Error("--dir is required");
    const dir = values.dir;
    const accessKeyId = values["access-key-id"] ?? `LTAI${randomBytes(8).toString("hex")}`;
    const given = values["access-key-secret-file"];
    const accessKeySecret = given === undefined ? randomBytes(15).toString("hex") : readFileSync(given, "utf8").trim();

    const running = await startCloud({
        dir,
        port: Number(values.port),
        region: values.region,
        accessKeyId,
        accessKeySecret,
        strict: !values.lenient,
    });
    const secretFile = join(dir, "cloud-secret");
    writeFileSync(secretFile, accessKeySecret, { mode: 0o600 });
    const facts = {
        port: running.port,
        url: running.url,
        pid: process.pid,
        caFile: running.caFile,
        region: values.region,
        accessKeyId,
        secretFile,
    };
    // A process that waits for the file must never read half of it.
    writeFileSync(join(dir, "cloud.json.new"), `${JSON.stringify(facts, undefined, 2)}\n`);
    renameSync(join(dir, "cloud.json.new"), join(dir, "cloud.json"));

    let stopping = false;
    const stop = (): void => {
        if (stopping) return;
        stopping = true;
        void running.stop().then(() => process.exit(0));
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
    if (!values.detach) watchOwner(stop);
}

const [command, ...rest] = process.argv.slice(2);
if (command === "serve") {
    serve(rest).catch((error: unknown) => {
        process.stderr.write(`cloud: ${error instanceof Error ? error.message : String(error)}\n`);
        process.exit(1);
    });
} else {
    process.stderr.write(USAGE);
    process.exit(command === "--help" || command === "-h" ? 0 : 2);
}

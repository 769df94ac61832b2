/** Replays cases against a plugin process. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { status, type ServiceError } from "@grpc/grpc-js";
import { makeCertificate } from "../../tls";
import { differences, normalize, normalizeText } from "./compare";
import type { Case, Json, JsonMap, RecordedRpc } from "./corpus";
import { LogEngine } from "./engine";
import { PluginProcess } from "./plugin-process";
import { initFailedOf, requestOf, responseOf } from "./requests";
import { ScriptedCloud } from "./scripted-cloud";

/** Real time in milliseconds that an answer may take. The plugin's own pauses are shortened. */
const patience = 60_000;

type Outcome = { readonly response: JsonMap } | { readonly error: ServiceError } | "unanswered";

/** Runs cases in sequence. Each case has its own cloud, engine and plugin process. */
export class Runner {
    private readonly folder = mkdtempSync(join(tmpdir(), "alicloud-conformance-"));
    private readonly certificate = makeCertificate({ commonName: "127.0.0.1" });
    private readonly cloud = new ScriptedCloud(this.certificate);
    private readonly engine = new LogEngine();
    private plugin: PluginProcess | undefined;

    constructor(private readonly command: readonly string[]) {}

    async start(): Promise<void> {
        writeFileSync(join(this.folder, "cert.pem"), this.certificate.cert);
        await this.cloud.start();
        await this.engine.start();
    }

    async stop(): Promise<void> {
        await this.plugin?.stop();
        this.cloud.stop();
        this.engine.stop();
        rmSync(this.folder, { recursive: true, force: true });
    }

    /** Returns the plugin's deviations from the recorded case, none if it behaved as recorded. */
    async run(example: Case): Promise<string[]> {
        const configures = example.type === "configure";
        if (configures || example.id.startsWith("net-")) await this.endPlugin();
        const problems: string[] = [];
        for (const [i, rpc] of example.rpcs.entries()) {
            if (this.plugin === undefined || !this.plugin.isRunning) await this.startPlugin(example);
            const found = await this.replay(example, rpc);
            problems.push(...found.map((line) => `${i + 1}. ${rpc.rpc}: ${line}`));
        }
        if (configures) await this.endPlugin();
        return problems;
    }

    private async endPlugin(): Promise<void> {
        await this.plugin?.stop();
        this.plugin = undefined;
    }

    private async startPlugin(example: Case): Promise<void> {
        await this.endPlugin();
        const environment: Record<string, string> = {
            SSL_CERT_FILE: join(this.folder, "cert.pem"),
            LAB_ALICLOUD_TRACE: "1",
            LAB_ALICLOUD_SLEEP: process.env["LAB_ALICLOUD_SLEEP"] ?? "0.001",
        };
        for (const [name, value] of Object.entries(example.environment ?? {}))
            environment[name] = this.withPort(value) as string;
        this.plugin = await PluginProcess.start(this.command, this.engine.address, environment);
        if (example.type === "configure") return;
        const host = `127.0.0.1:${this.cloud.port}`;
        const endpoints = JSON.stringify([
            Object.fromEntries(
                ["slb", "nlb", "vpc", "ecs", "sts", "location", "bssopenapi"].map((name) => [name, host]),
            ),
        ]);
        const args = {
            accessKey: "AK",
            secretKey: "SK",
            region: "cn-hangzhou",
            accountType: "Domestic",
            protocol: "HTTP",
            skipRegionValidation: "true",
            endpoints,
        };
        const outcome = await this.call("Configure", "", { args });
        if (typeof outcome === "string" || "error" in outcome) throw new Error("the plugin could not be configured");
    }

    private withPort(value: Json): Json {
        const text = JSON.stringify(value)
            .replaceAll("127.0.0.1:PORT", `127.0.0.1:${this.cloud.port}`)
            .replaceAll('"<uuid>"', '"04da6b54-80e4-46f7-96ec-b56ff0331ba9"');
        return JSON.parse(text) as Json;
    }

    private async replay(example: Case, recorded: RecordedRpc): Promise<string[]> {
        this.engine.take();
        let reachEnd: () => void = () => undefined;
        const end = new Promise<"unanswered">((resolve) => {
            reachEnd = () => resolve("unanswered");
        });
        const calls = recorded.calls ?? [];
        this.cloud.play({ calls, openEnd: recorded.cut !== undefined }, reachEnd);
        const answer = this.call(recorded.rpc, example.type, this.withPort(recorded.request) as JsonMap);
        const outcome = await Promise.race([answer, end]);
        const problems = [...this.cloud.problems(), ...(await this.compare(recorded, outcome))];
        if (outcome === "unanswered") await this.endPlugin();
        if (example.type !== "configure") problems.push(...this.compareLogs(recorded));
        return problems;
    }

    private async compare(recorded: RecordedRpc, outcome: Outcome): Promise<string[]> {
        if (outcome === "unanswered") return recorded.cut === undefined ? ["no answer"] : [];
        if (recorded.cut !== undefined)
            return [`answered, although the recording stopped while it was still trying: ${describe(outcome)}`];
        if (recorded.error !== undefined) {
            if (!("error" in outcome)) return [`expected the error ${recorded.error.message}, got an answer`];
            return this.compareError(recorded.error, outcome.error);
        }
        if ("error" in outcome) return [`unexpected error: ${outcome.error.details}`];
        const expected: JsonMap = { ...recorded.response };
        const actual = normalize(outcome.response) as JsonMap;
        // The mapping's data is a description of all types, of which only the size is recorded.
        if (recorded.rpc === "GetMapping") delete expected["data"];
        if (
            (recorded.rpc === "Read" && expected["id"] === "") ||
            (recorded.rpc === "Read" && expected["id"] === undefined)
        )
            return differences(String(expected["id"] ?? ""), actual["id"], "id");
        return differences(withUnknowns(expected), actual);
    }

    private async compareError(expected: NonNullable<RecordedRpc["error"]>, actual: ServiceError): Promise<string[]> {
        if (expected.message === "<the plugin process ended>") {
            return (await this.plugin!.ended(2000)) ? [] : [`the plugin did not end, but answered: ${actual.details}`];
        }
        const problems = differences(expected.grpcCode, status[actual.code] ?? "", "gRPC status");
        problems.push(...differences(expected.message, normalizeText(actual.details), "message"));
        const raw = actual.metadata?.get("grpc-status-details-bin")[0];
        const details = raw === undefined ? undefined : normalize(initFailedOf(raw as Buffer));
        if (expected.details !== undefined || details !== undefined)
            problems.push(...differences(expected.details, details, "details"));
        return problems;
    }

    private compareLogs(recorded: RecordedRpc): string[] {
        const order = (lines: { severity: string; message: string }[]): Json =>
            lines.map(({ severity, message }) => `${severity}: ${normalizeText(message)}`).sort();
        return differences(order([...(recorded.logs ?? [])]), order(this.engine.take()), "log");
    }

    private async call(rpc: string, type: string, request: JsonMap): Promise<Outcome> {
        const { method, message } = requestOf(rpc, type, request);
        const client = this.plugin!.client as unknown as Record<
            string,
            (message: object, options: object, callback: (error: ServiceError | null, answer: never) => void) => void
        >;
        return new Promise((resolve) => {
            client[method]!(message, { deadline: Date.now() + patience }, (error, answer) => {
                resolve(error === null ? { response: responseOf(rpc, answer) } : { error });
            });
        });
    }
}

const describe = (outcome: Exclude<Outcome, string>): string =>
    "error" in outcome ? outcome.error.details : JSON.stringify(outcome.response);

/** The corpus of Configure writes the sentinel of an unknown value as `<uuid>`. */
const withUnknowns = (value: JsonMap): JsonMap =>
    JSON.parse(JSON.stringify(value).replaceAll('"<uuid>"', '"04da6b54-80e4-46f7-96ec-b56ff0331ba9"')) as JsonMap;

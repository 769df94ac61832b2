/**
 * `make bench-scale`: needs of stacks with many Services, compared with a program that is written by hand on the raw
 * resources.
 *
 * `--services 20,100` sets the numbers of Services, `--nodes 200` the number of machines. Writes their rows of
 * `bench/scale/baseline.json` and `docs/internal/scale-figures.md`. With `--check` it writes nothing, and fails if a
 * ratio or a count is worse than the stored value.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { REPOSITORY, type Session } from "../../lab";
import { Program } from "../../test/support/program";
import { Stack } from "../../test/support/world";
import { wrapMarkdown } from "../../tools/docs/wrap";
import { rawProgram } from "./raw";
import { type Measurement, regressions, renderTable, type Run } from "./report";
import { UsageSampler } from "./usage";
import { creating, MOST_WRITTEN, requestsOf, startWorld, writeEndpoints, writeManifests } from "./world";

const BASELINE = path.join(REPOSITORY, "bench", "scale", "baseline.json");
const EMPTY_PACK = "bench/scale/empty-pack";
const DOCUMENT = path.join(REPOSITORY, "docs", "internal", "scale-figures.md");

const { values } = parseArgs({
    options: {
        services: { type: "string", default: "20,100" },
        nodes: { type: "string", default: "200" },
        check: { type: "boolean", default: false },
    },
});

const NODES = "/api/v1/nodes";

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Runs `pulumi` and measures it. @throws Error with its output if it fails */
async function measure(
    session: Session,
    folder: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
): Promise<Run> {
    const [since, before] = [await session.lastCall(), await requestsOf(session)];
    const start = process.hrtime.bigint();
    const running = session.start("pulumi", [...args, "--non-interactive", "--color", "never"], {
        cwd: folder,
        // The simulated cloud has no quotas unless they are configured: what is measured is the work, not the wait.
        env: { ACK_LOADBALANCER_WRITE_QUOTAS: "slb=1000000,nlb=1000000", ...env },
    });
    const sampler = new UsageSampler(running.pid);
    const { code, text } = await running.done;
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    const usage = sampler.stop();
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} failed:\n${text.slice(-4000)}`);
    // Reading the metrics is a request to the API server that they do not count for these kinds.
    return {
        seconds,
        usage,
        calls: (await session.calls(since)).length,
        requests: (await requestsOf(session)) - before,
    };
}

/** Number of resources and bytes of an exported state. */
function sizeOf(text: string): Pick<Measurement, "resources" | "state"> {
    const state = JSON.parse(text) as { deployment: { resources?: readonly unknown[] } };
    return { resources: state.deployment.resources?.length ?? 0, state: JSON.stringify(state).length };
}

async function measureStack(session: Session, stack: Stack, services: number): Promise<Omit<Measurement, "raw">> {
    const run = (...args: string[]) => measure(session, REPOSITORY, [...args, "--stack", stack.name]);
    writeManifests(stack.manifests, services);
    const up = ["up", "--yes", "--skip-preview", "--stack", stack.name];
    const create = await measure(session, REPOSITORY, up, creating(services));
    say(`${services} Services created in ${create.seconds.toFixed(0)} s`);
    // Endpoints that are written by hand belong to no pod: a run before the Service is there cannot foresee them.
    await measure(session, REPOSITORY, up, creating(services));
    const nothingToDo = await run("up", "--yes", "--skip-preview");
    writeManifests(stack.manifests, services, { changed: 1 });
    const oneChange = await run("preview");
    const shown = await run("preview", "--policy-pack", EMPTY_PACK);
    const judged = await run("preview", "--policy-pack", "policies");
    writeManifests(stack.manifests, services);
    const state = await session.run("pulumi", ["stack", "export", "--stack", stack.name]);
    return { services, ...sizeOf(state.text), create, nothingToDo, oneChange, shown, judged };
}

async function measureRaw(session: Session, program: Program, services: number): Promise<Measurement["raw"]> {
    const { items } = await session.lab.cluster.get<{ items: readonly { spec: { providerID?: string } }[] }>(NODES);
    const text = rawProgram(services, items[0]?.spec.providerID?.split(".").at(-1) ?? "");
    fs.writeFileSync(path.join(program.folder, "index.js"), text);
    const up = (env = {}) => measure(session, program.folder, ["up", "--yes", "--skip-preview", "--stack", "dev"], env);
    const create = await up(creating(services));
    return { create, nothingToDo: await up(), ...sizeOf(await program.state()) };
}

const stored = (): Measurement[] =>
    fs.existsSync(BASELINE) ? (JSON.parse(fs.readFileSync(BASELINE, "utf8")) as Measurement[]) : [];

async function main(): Promise<number> {
    const counts = values.services.split(",").map(Number);
    const session = await startWorld(Number(values.nodes));
    const measured: Measurement[] = [];
    const stack = await Stack.create(session, "scale", []);
    try {
        const program = await Program.create(session, "raw", "");
        let written = 0;
        for (const services of counts) {
            await writeEndpoints(session, written, services - written);
            written = services;
            const ours = await measureStack(session, stack, services);
            const one = { ...ours, raw: await measureRaw(session, program, services) };
            measured.push(one);
            say(renderTable([one]));
        }
    } finally {
        fs.rmSync(path.join(REPOSITORY, `Pulumi.${stack.name}.yaml`), { force: true });
        await session.lab.stop();
    }
    process.stdout.write(renderTable(measured));
    if (values.check) {
        const worse = regressions(measured, stored());
        process.stdout.write(worse.length === 0 ? "no number got worse\n" : `${worse.join("\n")}\n`);
        return worse.length === 0 ? 0 : 1;
    }
    const all = [...stored().filter(({ services }) => !counts.includes(services)), ...measured].sort(
        (a, b) => a.services - b.services,
    );
    fs.writeFileSync(BASELINE, `${JSON.stringify(all, undefined, 2)}\n`);
    const note = `Above ${MOST_WRITTEN} Services, creation is measured without the engine's writing of the state.`;
    const page = `# Figures of scale\n\nWritten by \`make bench-scale\`. ${note}\n\n${renderTable(all)}`;
    fs.writeFileSync(DOCUMENT, wrapMarkdown(page));
    return 0;
}

void main().then((code) => void (process.exitCode = code));

/**
 * The lab's deployment engine: a stand-in for the Pulumi CLI that runs the real SDK, real programs, real policy packs and
 * real provider plugins, and keeps state in the real format. `main.ts` is the command; this is what a test may use.
 *
 * Rooms, from the inside out:
 * - `value`: property values, their wire form, differences, paths
 * - `state`: resources, URNs, checkpoints; `secrets`: encryption; `backend`: files, locks, history
 * - `plugin`: processes spoken to over gRPC (providers, the program); `policy`: policy packs
 * - `deploy`: which steps, in which order, carried out and recorded
 * - `monitor`: the services the program talks to; `run.ts`, `phase`: one preview or update from beginning to end
 * - `events`, `display`: what users and tools see
 * - `cli`: commands; `conformance`: the replay of recordings of the real engine
 */
export { main, VERSION } from "./cli/main";
export { startRun, type RunRequestOptions, type RunResult, type RunningPhase } from "./run";
export { replay } from "./conformance/replay";

import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { outputOfDemo } from "../test/support/demo";
import { REPOSITORY } from "./repository";
import { commandsOf, difference, paragraphsOf } from "./transcript";

const RECORDING = path.join(REPOSITORY, "testdata/real-cli/quickstart.txt");

/** Output that the package has added since the recording was made. */
const SINCE: readonly RegExp[] = [
    /^ +- \[advisory\] \[severity: critical\] {2}address-released .*\n/gm,
    /^( +)identity *: \{\n(?:\1 {4}.*\n)*\1\}\n/gm,
    /^( +)initial *: \{\n(?:\1 {4}.*\n)*\1\}\n/gm,
    /^ +status *: "(?:running|active)"\n/gm,
    /^ +version *: "0\.1\.0"\n/gm,
    /^ *load balancers are created in the account's default resource group.*\n/gm,
];

/** The facts of the cluster, of which the recording has the id alone: the rest is discovered since. */
const FACTS = /^(\s*\+?\s+cluster *: \{\n\s*\+?\s+clusterId) *(: "c-quickstart"\n)[^}]*?(\s*\+?\s+\}\n)/gm;

/** Numbers of resources, greater by 3 than in the recording: options of listeners, and a remnant for each instance. */
const COUNTS = /\b(?:18|19|20)(?= (?:to create|created|unchanged|deleted)$)/gm;

/** Fields of a new Service are handed over to the manager of its updates since, which a refresh shows. */
const HANDED_OVER: readonly (readonly [RegExp, string])[] = [
    [/^( +)~ (\[0\]: \{\n +apiVersion: "v1"\n +fieldsType: "FieldsV1"\n)/gm, "$1  $2"],
    [/^( +)~ (manager +: "pulumi-kubernetes") => "pulumi-kubernetes-[0-9a-f]+"$/gm, "$1  $2"],
    [/^( +)~ (operation +: "Update") => "Apply"$/gm, "$1  $2"],
];

/** Properties that the package sent to the engine when the recording was made, and omits now if they are empty. */
const FORMERLY: readonly RegExp[] = [
    /^( +)live +: \{\n(?:\1 {4}(?:addresses *: \[\]|finalizers *: \[\]|labels *: \{\})\n)+\1\}\n/gm,
];

/** Warnings about the recording's plugins. A lab has the plugins where the CLI expects them, in the SDKs' versions. */
const OF_THE_RECORDING =
    /^.*\bwarning: (?:resource plugin \w+ is expected to have version|using pulumi-resource-).*\n/gm;

/**
 * Reports whether a violation belongs to a rule that named each Service in the recording and has since become one
 * message of the stack.
 */
const isJoined = (paragraph: string): boolean =>
    /^ +(?:ack-loadbalancer@\S+|-) \[advisory\] \[severity: medium\] {2}exposure-open /.test(paragraph);

/** Sections with nothing else in them. */
const EMPTY: readonly RegExp[] = [/^ {2}pulumi:pulumi:Stack \(.*\):\n(?=\n)/gm, /^Diagnostics:\n\s*\n(?! {2}\S+ \()/gm];

/** An instance had no resource for its remnants when the recording was made. */
const REMNANTS: readonly RegExp[] = [
    new RegExp(
        String.raw`^( +)[-+~ ] pulumi-nodejs:dynamic/ack-loadbalancer:LoadBalancerRemnant: .*\n(?:\1 {2}.*\n)+`,
        "gm",
    ),
    /^.*\bpulumi-nodejs:dynamic\/ack-loadbalancer:LoadBalancerRemnant .*\n/gm,
];

/** Options of listeners were a resource for each port with some when the recording was made. */
const OPTIONS: readonly RegExp[] = [
    new RegExp(
        String.raw`^( +)[-+~ ] pulumi-nodejs:dynamic/ack-loadbalancer:ListenerOptions: .*\n(?:\1 {2}.*\n)+`,
        "gm",
    ),
    /^.*\bpulumi-nodejs:dynamic\/ack-loadbalancer:ListenerOptions .*\n/gm,
];

/** Steps and rows of backends, which were a resource for each port when the recording was made. */
const BACKENDS_STEP = new RegExp(
    String.raw`^( +)([-+~ ] pulumi-nodejs:dynamic/ack-loadbalancer:)(?:ServerGroup)?(Backends: .*\n)((?:\1 {2}.*\n)+)`,
    "gm",
);
const BACKENDS_ROW = /:ServerGroupBackends (\S+)\/tcp-\d+ (.*)$/gm;

/** Backends by Service, with their weights alone. */
const withBackendsByService = (text: string): string =>
    text
        .replace(BACKENDS_STEP, (_, indent: string, type: string, header: string, body: string) => {
            const weights = body.split("\n").filter((line) => /\bweight\b/.test(line));
            return [`${indent}${type}${header}`, ...weights.map((line) => `${indent}    ${line.trim()}\n`)].join("");
        })
        .replace(BACKENDS_ROW, (_, service: string, status: string) => {
            return `:Backends ${service} ${status.replace("~backends", "~groups")}`;
        });

/** Rows of the stack itself, which show and count these warnings. */
const STACK_ROWS = /^ [-+~ ] {2}pulumi:pulumi:Stack .*\n/gm;

/**
 * Removes text that depends on the way plugins are found. Default providers are named after the version of their SDK.
 */
const comparable = (text: string): string =>
    [...OPTIONS, ...REMNANTS, ...EMPTY]
        .reduce((rest, gone) => rest.replace(gone, ""), withBackendsByService(text.replace(STACK_ROWS, "")))
        .replace(/\bdefault_\d+_\d+_\d+\b/g, "default_<version>");

/** Commands that the demonstration has added since the recording. They change nothing that later commands print. */
const ADDED = /^\$ (?:ack-loadbalancer (?:report|show)|pulumi (?:preview|destroy --preview-only) --json) /;

/** Command of the recorded demonstration, whose value now comes from the cluster itself. */
const REMOVED = /^\$ pulumi config set clusterId /;

test("the quickstart has the same output in the lab as with the real CLI and plugins", async () => {
    const recording = comparable(fs.readFileSync(RECORDING, "utf8").replace(OF_THE_RECORDING, "")).replace(
        COUNTS,
        (count) => String(Number(count) + 3),
    );
    const recorded = commandsOf(FORMERLY.reduce((text, gone) => text.replace(gone, ""), recording)).filter(
        ({ line }) => !REMOVED.test(line),
    );
    const output = (await outputOfDemo("quickstart")).replace(FACTS, "$1$2$3");
    const handedOver = HANDED_OVER.reduce((text, [now, then]) => text.replace(now, then), output);
    const asBefore = SINCE.reduce((text, added) => text.replace(added, ""), handedOver);
    const actual = commandsOf(comparable(asBefore)).filter(({ line }) => !ADDED.test(line));
    expect(actual.map(({ line }) => line)).toStrictEqual(recorded.map(({ line }) => line));
    const differences = recorded.flatMap(({ line, output }, i) => {
        if (!line.startsWith("$ pulumi ") || line === "$ pulumi version") return [];
        const compared = (text: readonly string[]) => paragraphsOf(text).filter((one) => !isJoined(one));
        const found = difference(compared(actual[i]!.output), compared(output));
        return found.length === 0 ? [] : [`${line}\n${found.join("\n")}`];
    });
    expect(differences).toStrictEqual([]);
});

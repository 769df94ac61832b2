/** Remedies that are edits of the manifest: each removes its finding, and none leads back. */
import { isDeepStrictEqual } from "node:util";
import { checkInputs } from "../../../../cli/report/rules";
import type { Violation } from "../../../../policies/rule";
import { configureRules } from "../../../../policies/rule/config";
import { RULES } from "../../../../policies/rules";
import { serviceOfManifest } from "../../../../policies/subjects";
import { documentOf } from "../../../../provider/service/manifests";
import { clusterOf, nameOf, serviceOf, type Version } from "../../service";

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";

const rules = configureRules(RULES, {});

/** Returns the findings of all rules about a Service. */
function findingsOf(version: Version): Violation[] {
    const subject = serviceOfManifest(documentOf(serviceOf(version)), { ...clusterOf(version), offline: true });
    return checkInputs({ services: [subject], resources: [], removed: [] }, rules);
}

/** Returns the annotation that a finding is about, by what follows the common prefix. */
function annotationOf({ place: { path } }: Violation): string | undefined {
    const key = path?.[0] === "metadata" && path[1] === "annotations" ? String(path[2]) : "";
    return key.startsWith(PREFIX) ? key.slice(PREFIX.length) : undefined;
}

const withAnnotation = (version: Version, name: string, value: string | undefined): Version => {
    const { [name]: _, ...others } = version.annotations ?? {};
    return { ...version, annotations: value === undefined ? others : { ...others, [name]: value } };
};

type Apply = (version: Version, words: readonly string[], about: string | undefined) => Version;

const set: Apply = (version, [, name = "", value]) => withAnnotation(version, name, value);
const drop: Apply = (version, [, name = ""]) => withAnnotation(version, name, undefined);
const write: Apply = (version, [, value], about) =>
    about === undefined ? version : withAnnotation(version, about, value);

/** Edits by the words of a remedy. An alternative that has none of them is no edit that a program can make. */
const EDITS: readonly (readonly [RegExp, Apply])[] = [
    [/^(?:set|add) ([a-z0-9-]+)(?: to|:) "([^"]*)"/i, set],
    [/^(?:remove|without) ([a-z0-9]+-[a-z0-9-]+|cookie|scheduler|hostname)/i, drop],
    [
        /^remove (?:it|the annotation)$/i,
        (version, _, about) => (about === undefined ? version : withAnnotation(version, about, undefined)),
    ],
    [/^write (?:a whole number from )?(\d+)/, write],
    [/^write "([^"]*)"/, write],
    [
        /^(?:set|use) externalTrafficPolicy (?:to )?"?(Local|Cluster)"?/i,
        (version, [, policy]) => ({ ...version, policy: policy as "Local" }),
    ],
];

/** Returns the alternatives of a remedy, each with the version to which it leads, if it is an edit. */
function alternatives(version: Version, finding: Violation): (Version | undefined)[] {
    const about = annotationOf(finding);
    return finding.remedy
        .replaceAll(PREFIX, "")
        .split(/, (?:unless|if) |[,;] or |; /)
        .map((text) => {
            // An edit of several fields is more than its first.
            if (/, and /.test(text)) return undefined;
            const [pattern, apply] = EDITS.find(([words]) => words.test(text.trim())) ?? [];
            const edited = pattern && apply?.(version, pattern.exec(text.trim()) ?? [], about);
            return isDeepStrictEqual(edited, version) ? undefined : edited;
        });
}

const keyOf = (finding: Violation): string =>
    [finding.rule.name, annotationOf(finding) ?? "", finding.cause].join(" | ");

const shortOf = (finding: Violation): string =>
    `${finding.rule.name}: ${annotationOf(finding) ?? ""} ${finding.cause} => ${finding.remedy}`.replaceAll(PREFIX, "");

/** Returns a line for each remedy that does not remove its finding, and for each that the next remedy undoes. */
export function circles(version: Version): string[] {
    const findings = findingsOf(version);
    const known = new Set(findings.map(keyOf));
    return findings.flatMap((finding) =>
        alternatives(version, finding).flatMap((edited, index) => {
            if (edited === undefined) return [];
            const left = findingsOf(edited);
            const undoes = (one: Violation): boolean => isDeepStrictEqual(alternatives(edited, one)[0], version);
            const stays = left.some((one) => keyOf(one) === keyOf(finding));
            // A person takes the first way.
            const back = index > 0 ? [] : left.filter((one) => !known.has(keyOf(one)) && undoes(one));
            return [
                ...(stays ? [`the remedy does not remove it: ${shortOf(finding)}`] : []),
                ...back.map((one) => `a circle: ${shortOf(finding)}, and then ${shortOf(one)}`),
            ].map((line) => `${nameOf(version)}: ${line}`);
        }),
    );
}

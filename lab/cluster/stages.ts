import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parse, stringify } from "yaml";
import { STAGE_FILES } from "./layout";

/** Annotation of a node or a pod. The value "false" keeps it not ready. */
export const READY_ANNOTATION = "lab.ack-loadbalancer/ready";

const NOT_HELD_BACK = { key: `.metadata.annotations["${READY_ANNOTATION}"]`, operator: "NotIn", values: ["false"] };

/** Holds for pods whose readiness gates are all open, and for those without. Source: Kubernetes, pod readiness. */
const GATES_OPEN = {
    key:
        ". as $pod | [.spec.readinessGates[]? | .conditionType as $type | " +
        'any($pod.status.conditions[]?; .type == $type and .status == "True")] | if all then "open" else "closed" end',
    operator: "In",
    values: ["open"],
};

interface Stage {
    metadata: { name: string };
    spec: { selector: { matchExpressions: { key: string; operator: string; values: string[] }[] } };
}

/**
 * Adapts the text of a stage for this lab. kwok's `node-initialize` makes every node ready at once, but here it leaves
 * alone nodes whose annotation says "false". kwok's `pod-ready` opens readiness gates itself, but here their owners do,
 * and the pod is not ready before.
 */
export function adaptStage(text: string): string {
    const stage = parse(text) as Stage;
    const { name } = stage.metadata;
    if (name === "pod-ready") return leaveGates(text);
    if (name !== "node-initialize") return text;
    stage.spec.selector.matchExpressions.push(NOT_HELD_BACK);
    return stringify(stage);
}

const OPENS_GATES = / *\{\{ range \.spec\.readinessGates \}\}[^]*?\{\{ end \}\}\n/;
const READY = /status: "True"(\n +type: Ready\n)/;

function leaveGates(text: string): string {
    if (!OPENS_GATES.test(text) || !READY.test(text))
        throw new Error("kwok's stage pod-ready is another than expected");
    return text
        .replace(OPENS_GATES, "")
        .replace(READY, 'status: {{ if .spec.readinessGates }}"False"{{ else }}"True"{{ end }}$1');
}

/**
 * Makes a running pod ready again that is not held back, as a kubelet does all the time. kwok's own stages only take a
 * pod from pending to ready and do not wait for readiness gates. The node lifecycle controller may take readiness back
 * later, since it goes by what it knew of the node some time ago.
 */
const POD_READY_AGAIN = {
    apiVersion: "kwok.x-k8s.io/v1alpha1",
    kind: "Stage",
    metadata: { name: "pod-ready-again" },
    spec: {
        resourceRef: { apiGroup: "v1", kind: "Pod" },
        selector: {
            matchExpressions: [
                { key: ".metadata.deletionTimestamp", operator: "DoesNotExist" },
                { key: ".status.phase", operator: "In", values: ["Running"] },
                {
                    key: '.status.conditions.[] | select( .type == "Ready" ) | .status',
                    operator: "NotIn",
                    values: ["True"],
                },
                NOT_HELD_BACK,
                GATES_OPEN,
            ],
        },
        next: {
            statusTemplate: [
                "conditions:",
                ...["Ready", "ContainersReady"].flatMap((type) => [
                    "- lastTransitionTime: {{ Now | Quote }}",
                    '  status: "True"',
                    `  type: ${type}`,
                ]),
            ].join("\n"),
        },
    },
};

/** Writes the stages of a cluster into `target`, from kwok's own in `source`, and returns the files. */
export async function writeStages(source: string, target: string): Promise<string[]> {
    await mkdir(target, { recursive: true });
    const files: string[] = [];
    for (const stage of STAGE_FILES) {
        const file = join(target, basename(stage));
        await writeFile(file, adaptStage(await readFile(join(source, stage), "utf8")));
        files.push(file);
    }
    const again = join(target, `${POD_READY_AGAIN.metadata.name}.yaml`);
    await writeFile(again, stringify(POD_READY_AGAIN));
    return [...files, again];
}

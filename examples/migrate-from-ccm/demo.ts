/**
 * `make migrate-demo`: a Service of the Cloud Controller Manager (CCM) is adopted with its load balancer and handed
 * back. No call writes to the load balancer, so traffic is not affected.
 *
 * The objects of CCM are made by its own recorded calls, and the commands are those that a person would type.
 */
import { isDeepStrictEqual } from "node:util";
import * as fs from "node:fs";
import * as path from "node:path";
import { type Call, perAction } from "../../lab";
import { perform, type Stage } from "../stage";
import {
    ccmObjections,
    type DataPath,
    dataPath,
    leaveFootprint,
    liveService,
    RECORDED_CLUSTER,
    RECORDED_NODES,
} from "./ccm";

const STACK = `migrate-${process.pid}`;
const SERVICE = "shop";
const KEY = `default/${SERVICE}`;
/** An HTTPS listener with certificates for two further domains. */
const RECORDING = "seed-26-https-domain-extensions";
const SCHEDULER = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-scheduler";
const UP = ["up", "--yes", "--skip-preview", "--non-interactive", "--suppress-outputs"];
const PREVIEW = ["preview", "--diff", "--non-interactive", "--color", "never"];

/** The folder of manifests of the stack. */
class Folder {
    readonly file: string;

    constructor(readonly place: string) {
        this.file = path.join(place, "shop.json");
    }

    write(manifest: object): void {
        fs.writeFileSync(this.file, JSON.stringify(manifest, undefined, 2));
    }
}

async function play(stage: Stage, folder: Folder): Promise<void> {
    const { lab } = stage;
    const config = (key: string, value: string) => stage.must("pulumi", ["config", "set", key, value]);
    let manifest: object = {};
    let before: DataPath | undefined;

    /** An act that must not write to the load balancer. */
    const still = async (title: string, act: () => Promise<void>): Promise<void> => {
        before = await dataPath(lab);
        const calls = await stage.act(title, act);
        stage.check("no call has written anything", writes(calls).length === 0, perAction(writes(calls)));
        stage.check(
            "instance, listeners, certificates, groups and backends are the same to the letter",
            isDeepStrictEqual(await dataPath(lab), before),
        );
    };

    await stage.act(
        "1  A Service as CCM leaves it: finalizer, hash label, address; an HTTPS load balancer in the cloud",
        async () => {
            for (const node of RECORDED_NODES) {
                await lab.addNode(node);
            }
            const left = await leaveFootprint(lab, RECORDING, SERVICE);
            manifest = left.manifest;
            folder.write(manifest);
            await stage.must("kubectl", [
                "get",
                "service",
                SERVICE,
                "-o",
                "jsonpath={.metadata.finalizers} {.metadata.labels} {.status}",
            ]);
            await stage.must("labcloud", ["list"]);
            const objections = ccmObjections(left.live, await dataPath(lab));
            stage.check("CCM has nothing to do", objections.length === 0, objections.join("; "));
            await stage.must("pulumi", ["stack", "init", STACK]);
            await config("manifests", folder.place);
        },
    );

    await still("2  While CCM manages the Service, this package keeps its hands off", async () => {
        const { code, text } = await stage.run("pulumi", PREVIEW);
        stage.check("the preview fails", code !== 0);
        stage.check(
            "it says why, and what to do",
            /the Cloud Controller Manager \(CCM\) manages this Service/.test(text) &&
                /Remedy: take the Service over/.test(text),
        );
    });

    await still("3  Adopt it: the preview shows imports, and nothing of the cloud to create", async () => {
        await config("adopt", JSON.stringify({ [KEY]: {} }));
        const { text } = await stage.must("pulumi", PREVIEW);
        const imports = text.match(/ alicloud:\S+ \(import\)/g) ?? [];
        stage.check(
            "an instance, a listener, a group and two domains are imported",
            imports.length === 5,
            `${imports.length} imports`,
        );
        stage.check("nothing of the cloud is created, changed or replaced", !/^ *[-+~]+ alicloud:/m.test(text));
        stage.check("every import matches", !text.includes("do not match"));
    });

    await still("4  Up: the load balancer is in the stack, CCM stands aside", async () => {
        await stage.must("pulumi", UP);
        await stage.must("kubectl", [
            "get",
            "service",
            SERVICE,
            "-o",
            "jsonpath={.metadata.finalizers} {.metadata.labels} {.metadata.annotations} {.status}",
        ]);
        const { metadata, status } = await liveService(lab, SERVICE);
        stage.check("the finalizer is gone", (metadata.finalizers ?? []).length === 0);
        stage.check(
            "another controller is named",
            metadata.annotations?.["service.beta.kubernetes.io/class"] !== undefined,
        );
        stage.check(
            "the address is the same",
            status?.loadBalancer?.ingress?.[0]?.ip === before?.loadBalancers[0]?.address,
        );
    });

    const idle = await stage.act("   From adopted to followed: nothing to do", async () => {
        await config("adopt", "{}");
        await config("follow", JSON.stringify([KEY]));
        await stage.must("pulumi", [...UP, "--expect-no-changes"]);
    });
    stage.check("without a single API call", idle.length === 0, perAction(idle));

    await stage.act("5  It is managed: an annotation changes, and another scheduler distributes", async () => {
        folder.write(withAnnotation(manifest, SCHEDULER, "wrr"));
        const { text } = await stage.must("pulumi", PREVIEW);
        stage.check("the preview shows the change", /scheduler: "rr" => "wrr"/.test(text));
        await stage.must("pulumi", UP);
        const { listeners } = await dataPath(lab);
        stage.check("the listener has it", listeners[0]?.attributes["Scheduler"] === "wrr");
        await stage.must("kubectl", ["annotate", "service", SERVICE, `${SCHEDULER}=wrr`]);
    });

    await still("6  The way back, first step: everything is to stay when it leaves the stack", async () => {
        await config("handBack", JSON.stringify([KEY]));
        await stage.must("pulumi", UP);
    });

    await still("   Second step: out of the stack", async () => {
        fs.rmSync(folder.file);
        fs.writeFileSync(
            path.join(folder.place, "none.yaml"),
            "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: none }\n",
        );
        await stage.must("pulumi", UP);
        await stage.must("labcloud", ["list"]);
        const objections = ccmObjections(await liveService(lab, SERVICE), await dataPath(lab));
        stage.check(
            "CCM takes the Service up, finds the load balancer by tag, " +
                "groups and listeners by name, and has nothing to do",
            objections.length === 0,
            objections.join("; "),
        );
        await stage.must("pulumi", ["destroy", "--yes", "--skip-preview", "--non-interactive"]);
        await stage.must("pulumi", ["stack", "rm", "--yes", STACK]);
    });
    stage.summary();
}

function writes(calls: readonly Call[]): Call[] {
    return calls.filter(({ mutating }) => mutating);
}

function withAnnotation(manifest: object, key: string, value: string): object {
    const { metadata } = manifest as { metadata: { annotations?: object } };
    return { ...manifest, metadata: { ...metadata, annotations: { ...metadata.annotations, [key]: value } } };
}

perform({
    stack: STACK,
    clusterId: RECORDED_CLUSTER,
    play: (stage, scratch) => play(stage, new Folder(scratch)),
});

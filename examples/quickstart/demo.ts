/**
 * The first part of `make demo`: the whole way of two Services through the package, on a lab that is started for it.
 *
 * The commands are those that a person would type, and nothing here knows which engine or which plugins run them.
 */
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { kubectl, perAction, REPOSITORY, waitForDeployment, waitForEndpoints } from "../../lab";
import { perform, type Show, type Stage } from "../stage";

const STACK = `quickstart-${process.pid}`;
const HERE = path.join(REPOSITORY, "examples/quickstart");
const PACK = ["--policy-pack", "policies"];
const UP = ["up", "--yes", "--skip-preview", "--non-interactive", "--suppress-outputs"];

interface CloudState {
    readonly slb: {
        readonly loadBalancers: readonly { id: string; address?: string; addressType?: string }[];
        readonly listeners: readonly object[];
        readonly vServerGroups: readonly {
            id: string;
            name: string;
            backends: readonly { serverId: string; weight: number }[];
        }[];
    };
}

/** Folder in which the reports stay when the demonstration is over. */
const REPORTS = fs.mkdtempSync(path.join(os.tmpdir(), "ack-loadbalancer-reports-"));

/** A preview as a document. */
const PREVIEW = ["preview", "--json", "--show-sames", "--non-interactive"];

/** Reports the effect of the next update on traffic as text, and leaves it as a page. */
async function report(
    stage: Stage,
    name: string,
    preview: readonly string[] = PREVIEW,
    end: "succeeds" | "is refused" = "succeeds",
): Promise<string> {
    const file = (ending: string): string => path.join(REPORTS, `${name}.${ending}`);
    const json = await stage.quietly("pulumi", preview, end);
    fs.writeFileSync(file("json"), json.slice(json.indexOf("{")));
    const { text } = await stage.must("ack-loadbalancer", ["report", file("json")]);
    await stage.quietly("ack-loadbalancer", ["report", file("json"), "--format", "html", "--output", file("html")]);
    stage.say(`  the same as a page: ${file("html")}`);
    return text;
}

async function play(stage: Stage, manifests: string): Promise<void> {
    const { lab } = stage;
    const state = () => stage.cloud<CloudState>("/_state");

    await stage.act("1  A cluster of three nodes, a Deployment of four pods", async () => {
        for (const name of ["node-1", "node-2", "node-3"]) {
            await lab.addNode({ name });
        }
        await stage.must("kubectl", ["apply", "-f", "examples/quickstart/workload.yaml"]);
        await waitForDeployment(lab.cluster, "default", "shop");
        await stage.must("kubectl", ["get", "nodes"]);
        await stage.must("kubectl", ["get", "pods", "-o", "wide"]);
        await stage.must("pulumi", ["version"]);
        await stage.must("pulumi", ["stack", "init", STACK]);
        await stage.must("pulumi", ["config", "set", "manifests", manifests]);
    });

    const preview = await stage.act(
        "2  Preview, with the policy pack: what would be made, members and weights visible",
        async () => {
            const { text } = await stage.must("pulumi", ["preview", "--diff", "--non-interactive", ...PACK]);
            for (const expected of ["ApplicationLoadBalancer", "Listener", "ServerGroup", "Backends", "weight"]) {
                stage.check(`the preview shows ${expected}`, text.includes(expected));
            }
            stage.check(
                "the report has both Services",
                (await report(stage, "create")).includes(
                    "2 of 2 Services: 2 load balancers are new, 2 listeners are new",
                ),
            );
        },
    );
    stage.check(
        "the preview wrote nothing",
        preview.every((call) => !call.mutating),
    );

    await stage.act("3  Up: the load balancers exist, the Services have their addresses", async () => {
        await stage.must("pulumi", [...UP, ...PACK]);
        await stage.must("labcloud", ["list"]);
        const { text } = await stage.must("kubectl", ["get", "services"]);
        const { slb } = await state();
        stage.check(
            "two load balancers with a listener each",
            slb.loadBalancers.length === 2 && slb.listeners.length === 2,
        );
        for (const balancer of slb.loadBalancers) {
            stage.check(
                `kubectl shows ${balancer.address}`,
                balancer.address !== undefined && text.includes(balancer.address),
            );
        }
        stage.check("the Local Service's weights are its pods", await weightsArePods(stage));
    });

    const again = await stage.act("   Up again: nothing to do", async () => {
        await stage.must("pulumi", [...UP, "--expect-no-changes"]);
    });
    stage.check("without a single API call", again.length === 0, perAction(again));

    await stage.act(
        "4  Scale to six pods: the preview shows the weights that change, up changes just those",
        async () => {
            await stage.must("kubectl", ["scale", "deployment", "shop", "--replicas", "6"]);
            await waitForDeployment(lab.cluster, "default", "shop");
            await waitForEndpoints(lab.cluster, "default", "shop-local", 6);
            const { text } = await stage.must("pulumi", ["preview", "--diff", "--non-interactive"]);
            stage.check("the preview names a weight that changes", /weight\s*:/.test(text));
            stage.check(
                "the report says that backends alone change",
                (await report(stage, "scale")).includes("shop-local: backends only"),
            );
        },
    );
    const scaled = await stage.act("   Up", async () => {
        await stage.must("pulumi", UP);
        stage.check("the weights are the pods again", await weightsArePods(stage));
    });
    stage.say(`  API calls: ${perAction(scaled)}`);
    stage.check(
        "one group changed, with at most two calls",
        scaled.length >= 1 && scaled.length <= 2,
        perAction(scaled),
    );

    await stage.act("5  Someone edits behind our back: refresh shows the drift, up heals it", async () => {
        const { slb } = await state();
        const group = slb.vServerGroups.find(({ name }) => name.includes("/shop-web/"));
        const server = group?.backends[0]?.serverId ?? "";
        const listener = slb.listeners.find((candidate) => JSON.stringify(candidate).includes("k8s/80/shop-web/")) as
            { loadBalancerId: string } | undefined;
        await stage.must("labcloud", ["edit", "remove-backend", group?.id ?? "", server]);
        await stage.must("labcloud", [
            "edit",
            "set-listener",
            listener?.loadBalancerId ?? "",
            "80",
            "http",
            "Scheduler=wlc",
        ]);
        const drift = await stage.must("pulumi", ["preview", "--refresh", "--diff", "--non-interactive"]);
        stage.check("the backend that is missing is named", drift.text.includes(server));
        stage.check(
            "the scheduler that was changed is named",
            /scheduler/.test(drift.text) && drift.text.includes("wlc"),
        );
        stage.check(
            "the report has the backend that comes back",
            /\+ \S*.*weight/.test(await report(stage, "drift", [...PREVIEW, "--refresh"])),
        );
        const shown = await stage.run("ack-loadbalancer", ["show", "default/shop-web"]);
        stage.check(
            "show ends with 1 and names the backend that is gone",
            shown.code === 1 && /missing/.test(shown.text),
        );
        await stage.must("pulumi", [...UP, "--refresh"]);
        const healed = await state();
        const repaired = healed.slb.vServerGroups.find(({ id }) => id === group?.id);
        stage.check("the backend is back", repaired?.backends.some(({ serverId }) => serverId === server) ?? false);
        stage.check("the scheduler is back", JSON.stringify(healed.slb.listeners).includes("wlc") === false);
    });

    const refused = await stage.act("6  A forbidden change is refused at preview, with cause and remedy", async () => {
        const file = path.join(manifests, "services.yaml");
        const text = fs.readFileSync(file, "utf8");
        fs.writeFileSync(
            file,
            text.replace(
                'address-type: "internet"',
                'address-type: "intranet"\n' +
                    '    service.beta.kubernetes.io/alibaba-cloud-loadbalancer-vswitch-id: "vsw-lab-a"',
            ),
        );
        stage.say('  (services.yaml: address-type of shop-local is now "intranet")');
        const result = await stage.run("pulumi", ["preview", "--non-interactive", ...PACK]);
        const refusal = await report(stage, "refusal", PREVIEW, "is refused");
        fs.writeFileSync(file, text);
        stage.check("the preview fails", result.code !== 0);
        stage.check(
            "it says what cannot change, why, and what to do",
            /addressType cannot change from "internet" to "intranet"/.test(result.text) && /Remedy:/.test(result.text),
        );
        stage.check("so does the report", refusal.includes('addressType cannot change from "internet" to "intranet"'));
    });
    stage.check(
        "nothing was touched",
        refused.every((call) => !call.mutating),
        perAction(refused),
    );

    await stage.act("   A Service is deleted: the report says first which address is released", async () => {
        const file = path.join(manifests, "services.yaml");
        const text = fs.readFileSync(file, "utf8");
        const documents = text.split(/^---$/m);
        fs.writeFileSync(file, documents.filter((document) => !/^ {2}name: shop-local$/m.test(document)).join("---"));
        stage.say("  (services.yaml: shop-local is left out)");
        const released = await report(stage, "deletion");
        fs.writeFileSync(file, text);
        stage.check("the first line is the address", released.startsWith("PUBLIC ADDRESS RELEASED: "));
    });

    await stage.act("7  Destroy: the cloud is empty, the cluster's Services are gone", async () => {
        const destruction = await report(stage, "destroy", ["destroy", "--preview-only", ...PREVIEW.slice(1)]);
        stage.check("the first line is the addresses", destruction.startsWith("PUBLIC ADDRESS RELEASED: "));
        await stage.must("pulumi", ["destroy", "--yes", "--skip-preview", "--non-interactive"]);
        const { slb } = await state();
        stage.check(
            "the cloud is empty",
            slb.loadBalancers.length + slb.listeners.length + slb.vServerGroups.length === 0,
        );
        const services = await kubectl(lab.cluster, ["get", "services", "--namespace", "default", "-o", "name"]);
        stage.check("the Services are gone", !services.includes("shop-"), services.trim());
        await stage.must("pulumi", ["stack", "rm", "--yes", STACK]);
    });
    stage.summary();
    stage.say(`\nReports of every act: ${REPORTS}`);
}

/** Reports whether the Local Service's group weighs each node by the pods it runs. */
async function weightsArePods(stage: Stage): Promise<boolean> {
    const pods = JSON.parse(await kubectl(stage.lab.cluster, ["get", "pods", "-l", "app=shop", "-o", "json"])) as {
        items: { spec: { nodeName: string } }[];
    };
    const nodes = JSON.parse(await kubectl(stage.lab.cluster, ["get", "nodes", "-o", "json"])) as {
        items: { metadata: { name: string }; spec: { providerID: string } }[];
    };
    const servers = new Map(nodes.items.map((node) => [node.metadata.name, node.spec.providerID.split(".")[1] ?? ""]));
    const desired = new Map<string, number>();
    for (const pod of pods.items) {
        const server = servers.get(pod.spec.nodeName) ?? "";
        desired.set(server, (desired.get(server) ?? 0) + 1);
    }
    const { slb } = await stage.cloud<CloudState>("/_state");
    const group = slb.vServerGroups.find(({ name }) => name.includes("/shop-local/"));
    const actual = new Map(group?.backends.map(({ serverId, weight }) => [serverId, weight]));
    return actual.size === desired.size && [...desired].every(([server, weight]) => actual.get(server) === weight);
}

export const QUICKSTART: Show = {
    stack: STACK,
    clusterId: "c-quickstart",
    play: (stage, scratch) => {
        const manifests = path.join(scratch, "manifests");
        fs.cpSync(path.join(HERE, "manifests"), manifests, { recursive: true });
        return play(stage, manifests);
    },
};

if (require.main === module) perform(QUICKSTART);

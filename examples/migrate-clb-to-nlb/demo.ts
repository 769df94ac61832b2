/**
 * From a CLB to an NLB without interruption: every step is a preview and a run, and can be reverted. The commands run
 * with any engine and plugins.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { type Call, perAction, REPOSITORY, waitForDeployment, waitForEndpoints } from "../../lab";
import { perform, type Stage } from "../stage";

const STACK = `clb-to-nlb-${process.pid}`;
const HERE = path.join(REPOSITORY, "examples/migrate-clb-to-nlb");
const UP = ["up", "--yes", "--skip-preview", "--non-interactive", "--suppress-outputs"];
const PREVIEW = ["preview", "--diff", "--non-interactive", "--color", "never"];

interface CloudState {
    readonly slb: {
        readonly loadBalancers: readonly { readonly address: string }[];
        readonly vServerGroups: readonly {
            readonly backends: readonly { readonly serverId: string; readonly weight: number }[];
        }[];
    };
    readonly nlb: {
        readonly loadBalancers: readonly { readonly dnsName: string }[];
        readonly serverGroups: readonly {
            readonly servers: readonly { readonly serverId: string; readonly weight: number }[];
        }[];
    };
}

/** Record of a name and its target. A person changes it in the DNS zone, here it is a variable. */
interface Record {
    leadsTo: string;
}

async function play(stage: Stage, folder: string): Promise<void> {
    const { lab } = stage;
    const state = () => stage.cloud<CloudState>("/_state");
    const record: Record = { leadsTo: "" };
    const nlbFile = path.join(folder, "shop-nlb.yaml");
    const addNlb = () => fs.copyFileSync(path.join(HERE, "shop-nlb.yaml"), nlbFile);
    const preview = async () => (await stage.must("pulumi", PREVIEW)).text;

    /** A step that must not touch the load balancer that clients use. */
    const serving = async (title: string, product: "Slb" | "Nlb", act: () => Promise<void>): Promise<void> => {
        const calls = await stage.act(title, act);
        const writes = calls.filter((call: Call) => call.mutating && call.product === product);
        stage.check(
            "nothing is written to the load balancer that serves clients",
            writes.length === 0,
            perAction(writes),
        );
    };

    await stage.act("1  A Service with a CLB", async () => {
        for (const name of ["node-1", "node-2", "node-3"]) await lab.addNode({ name });
        await stage.must("kubectl", ["apply", "-f", "examples/quickstart/workload.yaml"]);
        await waitForDeployment(lab.cluster, "default", "shop");
        fs.copyFileSync(path.join(HERE, "manifests/shop.yaml"), path.join(folder, "shop.yaml"));
        await stage.must("pulumi", ["stack", "init", STACK]);
        await stage.must("pulumi", ["config", "set", "manifests", folder]);
        await stage.must("pulumi", UP);
        await waitForEndpoints(lab.cluster, "default", "shop", 4);
        await stage.must("pulumi", UP);
        record.leadsTo = (await state()).slb.loadBalancers[0]?.address ?? "";
    });

    await serving("2  A second Service with an NLB: the preview creates, and leaves the CLB alone", "Slb", async () => {
        addNlb();
        const text = await preview();
        stage.check("an NLB is created", /^ *\+ alicloud:nlb\/loadBalancer:LoadBalancer/m.test(text));
        stage.check("nothing of the CLB changes", !/^ *[-~+]+ alicloud:slb/m.test(text));
        await stage.must("pulumi", UP);
        // The endpoints of a Service that was just made come with it.
        await waitForEndpoints(lab.cluster, "default", "shop-nlb", 4);
        await stage.must("pulumi", UP);
    });

    await serving("   The way back: the file goes, and the NLB with it", "Slb", async () => {
        fs.rmSync(nlbFile);
        const text = await preview();
        stage.check("the NLB is deleted", /^ *- alicloud:nlb\/loadBalancer:LoadBalancer/m.test(text));
        stage.check("nothing of the CLB changes", !/^ *[-~+]+ alicloud:slb/m.test(text));
        await stage.must("pulumi", UP);
        stage.check("the NLB is gone", (await state()).nlb.loadBalancers.length === 0);
    });

    await serving("3  Again, and is it ready? Both serve the same pods", "Slb", async () => {
        addNlb();
        await stage.must("pulumi", UP);
        await waitForEndpoints(lab.cluster, "default", "shop-nlb", 4);
        await stage.must("pulumi", UP);
        for (const name of ["shop", "shop-nlb"]) {
            await stage.must("ack-loadbalancer", ["show", `default/${name}`]);
            const { code } = await stage.run("ack-loadbalancer", ["explain", `default/${name}`]);
            stage.check(`explain finds nothing broken with ${name}`, code === 0);
        }
        const { slb, nlb } = await state();
        const clb = slb.vServerGroups.flatMap(({ backends }) =>
            backends.map(({ serverId, weight }) => `${serverId} ${weight}`),
        );
        const other = nlb.serverGroups.flatMap(({ servers }) =>
            servers.map(({ serverId, weight }) => `${serverId} ${weight}`),
        );
        stage.check(
            "backends and weights are the same",
            clb.length > 0 && clb.sort().join() === other.sort().join(),
            `${clb.join()} and ${other.join()}`,
        );
    });

    const [{ address = "" } = {}] = (await state()).slb.loadBalancers;
    const [{ dnsName = "" } = {}] = (await state()).nlb.loadBalancers;
    await serving(
        "4  The name moves to the NLB; the way back: it moves back. Both serve meanwhile",
        "Slb",
        async () => {
            for (const target of [dnsName, address, dnsName]) {
                record.leadsTo = target;
                stage.say(`  shop.example.com now leads to ${record.leadsTo}`);
                await stage.must("pulumi", [...UP, "--expect-no-changes"]);
            }
            const { text } = await stage.must("kubectl", ["get", "services"]);
            stage.check("both addresses are there", text.includes(address) && text.includes(dnsName));
        },
    );

    await serving("5  The CLB goes, once the old name has left all caches", "Nlb", async () => {
        fs.rmSync(path.join(folder, "shop.yaml"));
        const text = await preview();
        stage.check("the CLB is deleted", /^ *- alicloud:slb\/applicationLoadBalancer:/m.test(text));
        stage.check("nothing of the NLB changes", !/^ *[-~+]+ alicloud:nlb/m.test(text));
        const json = await stage.quietly("pulumi", ["preview", "--json", "--show-sames", "--non-interactive"]);
        const file = path.join(folder, "..", `${STACK}.json`);
        fs.writeFileSync(file, json.slice(json.indexOf("{")));
        const report = await stage.must("ack-loadbalancer", ["report", file]);
        fs.rmSync(file);
        stage.check("the report names the address that is released", report.text.includes(address));
        await stage.must("pulumi", UP);
        const { slb, nlb } = await state();
        stage.check("one NLB is left", slb.loadBalancers.length === 0 && nlb.loadBalancers.length === 1);
        stage.check("clients are led to it", record.leadsTo === nlb.loadBalancers[0]?.dnsName);
    });

    await stage.act("   Clean up", async () => {
        await stage.must("pulumi", ["destroy", "--yes", "--skip-preview", "--non-interactive"]);
        await stage.must("pulumi", ["stack", "rm", "--yes", STACK]);
    });
    stage.summary();
}

perform({ stack: STACK, clusterId: "c-shop", play });

import { expect, test } from "@jest/globals";
import {
    BACKENDS_TYPE,
    CLB_INSTANCE_TYPE,
    CLB_LISTENER_TYPE,
    SERVICE_TYPE,
    STATUS_TYPE,
    VSERVER_GROUP_TYPE,
} from "../../schema/resource-types";
import type { LiveService } from "../live/model";
import { describeService } from "../show/service";
import { liveService } from "../testing";
import { driftOf, recordedOf } from "./compare";
import { parseState, StateError } from "./state";

const urnOf = (type: string, name: string): string => `urn:pulumi:prod::shop::${type}::${name}`;

const COMPONENT = urnOf(SERVICE_TYPE, "shop/web");

const resource = (type: string, name: string, id: string, inputs: object, outputs: object = {}) => ({
    urn: urnOf(type, name),
    type,
    id,
    parent: COMPONENT,
    inputs,
    outputs: { ...inputs, ...outputs },
});

/** A stack that records what {@link liveService} has. */
function exported(
    change: { readonly backends?: object; readonly tags?: object; readonly listener?: object } = {},
): string {
    const { backends = { "i-1": { weight: 100 } }, tags = {}, listener = {} } = change;
    return JSON.stringify({
        version: 3,
        deployment: {
            resources: [
                {
                    urn: COMPONENT,
                    type: SERVICE_TYPE,
                    inputs: { service: "shop/web", loadBalancerType: "clb", addressType: "internet" },
                },
                resource(
                    CLB_INSTANCE_TYPE,
                    "shop/web",
                    "lb-1",
                    { tags, addressType: "internet" },
                    { address: "203.0.113.11" },
                ),
                resource(VSERVER_GROUP_TYPE, "shop/web/tcp-80", "rsp-1", { loadBalancerId: "lb-1" }),
                resource(BACKENDS_TYPE, "shop/web/tcp-80", "rsp-1", { serverGroupId: "rsp-1", port: 30080, backends }),
                resource(CLB_LISTENER_TYPE, "shop/web/tcp-80", "lb-1:tcp:80", {
                    loadBalancerId: "lb-1",
                    frontendPort: 80,
                    protocol: "tcp",
                    serverGroupId: "rsp-1",
                    ...listener,
                }),
            ],
        },
    });
}

const found = (live: LiveService): Extract<LiveService["cloud"], { kind: "found" }> => {
    if (live.cloud.kind !== "found") throw new Error("the cloud was seen");
    return live.cloud;
};

/** A live Service whose instance differs. */
function changed(change: Partial<ReturnType<typeof found>["instance"]>): LiveService {
    const live = liveService();
    const cloud = found(live);
    return { ...live, cloud: { ...cloud, instance: { ...cloud.instance, ...change } } };
}

test("of two Services of one name, in two clusters, the one with the UID is compared; the names of its resources begin with the component's", () => {
    const { deployment } = JSON.parse(exported()) as { deployment: { resources: { type: string; id?: string }[] } };
    const inCluster = (name: string, uid: string) =>
        [...deployment.resources, resource(STATUS_TYPE, "shop/web", "status", { uid })].map(
            (one) =>
                JSON.parse(
                    JSON.stringify(one)
                        .replaceAll("::shop/web", `::${name}`)
                        .replaceAll(/"(lb|rsp)-1/g, `"$1-${uid}`),
                ) as object,
        );
    const text = JSON.stringify({
        version: 3,
        deployment: { resources: [...inCluster("far", "u-2"), ...inCluster("near", "u-1")] },
    });
    const recorded = recordedOf(parseState(text, "state.json"), "shop/web", "u-1");
    expect(recorded?.report.loadBalancer?.id).toBe("lb-u-1");
    expect(recorded?.report.listeners.map(({ key }) => key)).toStrictEqual(["tcp-80"]);
    expect([...(recorded?.ports ?? [])]).toStrictEqual([["tcp-80", "30080"]]);
});

function drift(text: string, live: LiveService) {
    const recorded = recordedOf(parseState(text, "state.json"), "shop/web", "u-1");
    if (recorded === undefined) throw new Error("the Service is not in the state");
    return driftOf(recorded, live).map(({ object, what, recorded: before, observed }) => [
        object,
        what,
        before,
        observed,
    ]);
}

const MARK = "k8s/81/web/shop/c1";

test.each<[string, string, LiveService, string[][]]>([
    ["nothing", exported(), liveService(), []],
    [
        "a weight",
        exported({ backends: { "i-1": { weight: 50 } } }),
        liveService(),
        [["server group tcp-80", "weight of i-1:30080", "50", "100"]],
    ],
    [
        "members that went and came",
        exported({ backends: { "i-2": { weight: 100 } } }),
        liveService(),
        [
            ["server group tcp-80", "weight of i-1:30080", "not a member", "100"],
            ["server group tcp-80", "weight of i-2:30080", "100", "not a member"],
        ],
    ],
    [
        "a tag",
        exported({ tags: { team: "shop" } }),
        changed({ tags: { team: "other", more: "x" } }),
        [["load balancer", "tag team", "shop", "other"]],
    ],
    [
        "a listener that is gone, and its group",
        exported(),
        changed({ listeners: [], serverGroups: [] }),
        [
            ["listener tcp:80", "listener", "made by this stack", "not there"],
            ["server group tcp-80", "server group", "rsp-1", "not there"],
        ],
    ],
    [
        "a listener with another group",
        exported(),
        changed({
            listeners: [{ protocol: "tcp", port: 80, description: "k8s/80/web/shop/c1", serverGroupId: "rsp-9" }],
        }),
        [["listener tcp:80", "server group", "rsp-1", "rsp-9"]],
    ],
    [
        "a marked listener that no run has made; a user's is nobody's business",
        exported(),
        changed({
            listeners: [
                ...found(liveService()).instance.listeners,
                { protocol: "tcp", port: 81, description: MARK },
                { protocol: "tcp", port: 9000, description: "by hand" },
            ],
        }),
        [["listener tcp:81", "listener", "not there", "there, marked for shop/web"]],
    ],
    ["another instance", exported(), changed({ id: "lb-7" }), [["load balancer", "instance", "lb-1", "lb-7"]]],
    [
        "an instance that is gone",
        exported(),
        liveService({ cloud: { kind: "missing", lookedFor: "lb-1" } }),
        [["load balancer", "instance", "lb-1", "not there"]],
    ],
    ["a cloud that was not seen", exported(), liveService({ cloud: { kind: "failed", code: "x", message: "y" } }), []],
])("drift: %s", (_what, text, live, expected) => {
    expect(drift(text, live)).toStrictEqual(expected);
});

test("members that the sync controller keeps do not drift from the first run's", () => {
    const state = JSON.parse(exported({ backends: { "i-2": { weight: 1 } } })) as {
        deployment: { resources: { type: string; inputs: object; outputs: object }[] };
    };
    for (const one of state.deployment.resources.filter(({ type }) => type === BACKENDS_TYPE)) {
        one.inputs = { ...one.inputs, sync: true };
        one.outputs = { ...one.outputs, sync: true };
    }
    expect(drift(JSON.stringify(state), liveService())).toStrictEqual([]);
});

test("the page names the drift, and who manages what", () => {
    const live = changed({
        listeners: [
            ...found(liveService()).instance.listeners,
            { protocol: "tcp", port: 8080, description: "k8s/8080/other/shop/c1" },
            { protocol: "tcp", port: 9000, description: "by hand" },
        ],
    });
    const { page, data } = describeService(live, parseState(exported({ tags: { team: "shop" } }), "state.json"));
    expect(
        page.sections.find(({ title }) => title === "Drift against the state of shop/prod")?.table?.rows,
    ).toStrictEqual([["load balancer", "tag team", "shop", "not there"]]);
    expect(page.sections.find(({ title }) => title === "Who manages what")?.table?.rows).toStrictEqual([
        ["load balancer lb-1", "stack shop/prod"],
        ["listener tcp:80", "stack shop/prod"],
        ["listener tcp:8080", "another Service (k8s/8080/other/shop/c1)"],
        ["listener tcp:9000", "user"],
        ["server group rsp-1", "stack shop/prod"],
    ]);
    expect(data).toMatchObject({ state: { stack: "shop/prod", managed: true, drift: [{ what: "tag team" }] } });
});

test("a state whose resources have hooks is version 4", () => {
    const text = exported().replace('"version":3', '"version":4,"features":["hooks"]');
    expect(drift(text, liveService())).toStrictEqual([]);
});

test("a stack that has nothing to do with the Service says so", () => {
    const state = JSON.stringify({ version: 3, deployment: {} });
    const { page } = describeService(liveService(), parseState(state, "state.json"));
    expect(page.sections.flatMap(({ lines = [] }) => lines)).toContain("the stack does not manage this Service");
});

test.each([
    "",
    "{",
    "[]",
    "null",
    '{"version":3}',
    '{"version":2,"deployment":{}}',
    '{"version":3,"deployment":{"resources":[{}]}}',
])("what is no exported stack is refused with a remedy: %s", (text) => {
    expect(() => parseState(text, "state.json")).toThrow(StateError);
    expect(() => parseState(text, "state.json")).toThrow(/state\.json: this is no exported stack\n {4}remedy: /);
});

test("secrets, and objects whose replacement stands already, are not looked into", () => {
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" };
    const state = JSON.parse(exported({ tags: { team: secret } })) as { deployment: { resources: object[] } };
    state.deployment.resources.push({
        ...resource(CLB_INSTANCE_TYPE, "shop/web", "lb-0", { tags: { team: "old" } }),
        delete: true,
    });
    expect(drift(JSON.stringify(state), liveService())).toStrictEqual([]);
});

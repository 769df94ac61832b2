import { expect, test } from "@jest/globals";
import type { RecordedCloud } from "./case";
import type { CloudState } from "./cloud";
import { evaluateStep } from "./testing";
import { NO_NLB } from "./nlb/state";
import type { StepResult } from "./run-case";

const UID = "5e4dbfc9-c2ae-4642-b033-5607860aef6a";
const OWNER = "a5e4dbfc9c2ae4642b0335607860aef6";
const MARK = "k8s/30080/web/default/c1";

const SERVICE = {
    metadata: { name: "web", namespace: "default", uid: UID, annotations: {} },
    spec: { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30080 }] },
};

function recordedCloud(weight: number, scheduler: string): RecordedCloud {
    return {
        loadBalancers: [
            {
                ref: "lb#1",
                product: "clb",
                sent: { LoadBalancerName: OWNER, AddressType: "internet" },
                tags: { "kubernetes.do.not.delete": OWNER },
            },
        ],
        serverGroups: [
            {
                ref: "sg#1",
                lb: "lb#1",
                name: MARK,
                backends: [{ type: "ecs", serverId: "i-1", port: 30080, weight, description: MARK }],
            },
        ],
        listeners: [
            {
                lb: "lb#1",
                port: 80,
                protocol: "tcp",
                status: "running",
                serverGroup: "sg#1",
                sent: { Scheduler: scheduler },
            },
        ],
    };
}

const NOTHING: RecordedCloud = { loadBalancers: [], serverGroups: [], listeners: [] };

/** Objects with the compared fields. */
const stated = (state: object): CloudState => state as CloudState;

const STATE = stated({
    loadBalancers: [
        {
            id: "lb-abc",
            name: OWNER,
            address: "203.0.113.10",
            addressType: "internet",
            addressIpVersion: "ipv4",
            vpcId: "",
            vSwitchId: "",
            bandwidth: 5120,
            internetChargeType: "paybytraffic",
            instanceChargeType: "PayByCLCU",
            spec: "",
            masterZoneId: "",
            slaveZoneId: "",
            resourceGroupId: "",
            deleteProtection: "on",
            modificationProtectionStatus: "ConsoleProtection",
            modificationProtectionReason: "managed.by.ack",
            tags: { "kubernetes.do.not.delete": OWNER },
        },
    ],
    vServerGroups: [
        {
            id: "rsp-1",
            loadBalancerId: "lb-abc",
            name: MARK,
            backends: [{ type: "ecs", serverId: "i-1", serverIp: "", port: 30080, weight: 100, description: MARK }],
        },
    ],
    listeners: [
        {
            loadBalancerId: "lb-abc",
            port: 80,
            protocol: "tcp",
            status: "running",
            attributes: { Scheduler: "rr", VServerGroupId: "rsp-1" },
            aclIds: [],
        },
    ],
    domainExtensions: [],
    network: NO_NLB,
});

const EMPTY = {
    network: NO_NLB,
    loadBalancers: [],
    vServerGroups: [],
    listeners: [],
    domainExtensions: [],
};

const verdict = (cloud: RecordedCloud, error: string | null, result: Partial<StepResult>) =>
    evaluateStep(
        "clb",
        { op: "apply", service: SERVICE, expect: { error, status: [{ ip: "${lb#1.address}" }], cloud } },
        {
            before: EMPTY,
            after: STATE,
            statuses: new Map([["default/web", [{ ip: "203.0.113.10" }]]]),
            ...result,
        },
    );

test("a result as recorded is equal regardless of ids", () => {
    expect(verdict(recordedCloud(100, "rr"), null, {}).differences).toStrictEqual([]);
});

test("an unexplained weight is wrong", () => {
    const { kind, differences } = verdict(recordedCloud(50, "rr"), null, {});
    expect(kind).toBe("wrong");
    expect(differences).toStrictEqual([
        { step: 1, where: `backend ${MARK} ecs i-1  30080 weight`, expected: "50", actual: "100" },
    ]);
});

test("a missing listener, group, instance and status are wrong", () => {
    for (const after of [{ ...STATE, listeners: [] }, { ...STATE, vServerGroups: [] }, EMPTY]) {
        expect(verdict(recordedCloud(100, "rr"), null, { after }).kind).toBe("wrong");
    }
    expect(verdict(recordedCloud(100, "rr"), null, { statuses: new Map() }).kind).toBe("wrong");
});

test("a surplus instance is wrong", () => {
    expect(verdict(NOTHING, null, {}).kind).toBe("wrong");
});

test("an unrecorded error is wrong, and so is a success instead of one", () => {
    expect(
        verdict(recordedCloud(100, "rr"), null, { outcome: { ok: false, errors: ["no route to host"], changes: 0 } })
            .kind,
    ).toBe("wrong");
    expect(verdict(recordedCloud(100, "rr"), "it failed", {}).kind).toBe("wrong");
});

test("a refusal explains missing objects only if nothing was changed", () => {
    const outcome = { ok: false, errors: ["error[annotation-value]: …"], changes: 0 };
    expect(verdict(recordedCloud(100, "rr"), null, { outcome, after: EMPTY, statuses: new Map() }).kind).toBe(
        "different",
    );
    expect(
        verdict(recordedCloud(100, "rr"), null, { outcome, before: EMPTY, after: { ...STATE, listeners: [] } }).kind,
    ).toBe("wrong");
});

test("an attribute of the Service that was recorded differently is a known difference", () => {
    const { kind, differences } = verdict(recordedCloud(100, "wrr"), null, {});
    expect(kind).toBe("different");
    expect(differences[0]?.reason ?? "").toMatch(/Attributes follow the Service after every run/);
});

test("only blanks in protocol-port explain a success where the controller failed", () => {
    const judge = (value: string) =>
        evaluateStep(
            "clb",
            {
                op: "apply",
                service: {
                    ...SERVICE,
                    metadata: {
                        ...SERVICE.metadata,
                        annotations: {
                            "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-protocol-port": value,
                        },
                    },
                },
                expect: { error: "port -1 invalid", status: [], cloud: NOTHING },
            },
            { before: EMPTY, after: STATE, statuses: new Map([["default/web", [{ ip: "203.0.113.10" }]]]) },
        ).kind;
    expect(judge("tcp:443, tcp:80")).toBe("different");
    expect(judge("tcp:443,tcp:80")).toBe("wrong");
});

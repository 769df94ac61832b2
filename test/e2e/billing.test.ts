/**
 * Billing of instances and traffic: the preview refuses what the cloud would refuse, everything else is done, and
 * nothing is converted without a request.
 * Only a run shows that a refusal of the preview is what the cloud would have said.
 *
 * Requirements: A03, A04, A05, A06, B08, E20, F06, G33, X16.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { forget } from "../support/forget";
import { found } from "../support/found";
import { pattern } from "../support/pattern";
import { WHOLE } from "../support/sample";
import { type CloudInstance, type ServiceSpec, Stack, startWorld, stateOf, writesOf } from "../support/world";

const ORIGINS = ["managed", "reused"] as const;
const CHARGES = ["PayBySpec", "PayByCLCU"] as const;

type Annotations = Readonly<Record<string, string>>;

/** Annotations added to a Service, and the calls that set them on an instance. */
interface Change {
    readonly annotations: Annotations;
    readonly calls: readonly (readonly [action: string, params: Readonly<Record<string, string>>])[];
}

const SPEC = ["ModifyLoadBalancerInstanceSpec", { LoadBalancerSpec: "slb.s2.small" }] as const;
const BY_BANDWIDTH = { InternetChargeType: "paybybandwidth" };

const CHANGES: Readonly<Record<string, Change>> = {
    spec: { annotations: { spec: "slb.s2.small" }, calls: [SPEC] },
    charge: {
        annotations: { "charge-type": "paybybandwidth" },
        calls: [["ModifyLoadBalancerInternetSpec", BY_BANDWIDTH]],
    },
    bandwidth: {
        annotations: { "charge-type": "paybybandwidth", bandwidth: "7" },
        calls: [["ModifyLoadBalancerInternetSpec", { ...BY_BANDWIDTH, Bandwidth: "7" }]],
    },
    both: {
        annotations: { spec: "slb.s2.small", "charge-type": "paybybandwidth", bandwidth: "7" },
        calls: [SPEC, ["ModifyLoadBalancerInternetSpec", { ...BY_BANDWIDTH, Bandwidth: "7" }]],
    },
};

interface Row {
    readonly origin: (typeof ORIGINS)[number];
    readonly charge: (typeof CHARGES)[number];
    readonly change: string;
    /** Name of the Service. */
    readonly name: string;
}

const ALL: readonly Row[] = ORIGINS.flatMap((origin) =>
    CHARGES.flatMap((charge) =>
        Object.keys(CHANGES).map((change) => ({
            origin,
            charge,
            change,
            name: `${origin}-${charge}-${change}`.toLowerCase(),
        })),
    ),
);

/** The pair that the documents exclude, and the change to the documented bandwidth. */
const ALONE = { PayByCLCU: "spec", PayBySpec: "charge" } as const;

/** A sample has the changes of all annotations at once, and those of {@link ALONE} to managed instances. */
const TABLE = ALL.filter(
    ({ origin, charge, change }) => WHOLE || change === "both" || (origin === "managed" && change === ALONE[charge]),
);

/** A Service in its first state: on a managed instance with one of the two charge types, or on a user's instance. */
const before = ({ origin, charge, name }: Row): ServiceSpec => ({
    name,
    annotations:
        origin === "reused"
            ? { id: `lb-${name}` }
            : charge === "PayBySpec"
              ? { "instance-charge-type": charge, "delete-protection": "off" }
              : { "delete-protection": "off" },
});

/** The Service without annotations about its charge. */
const plain = (row: Row): ServiceSpec =>
    row.origin === "managed" ? { name: row.name, annotations: { "delete-protection": "off" } } : before(row);

/** The Service with more annotations. */
const having = (row: Row, annotations: Annotations): ServiceSpec => {
    const first = before(row);
    return { ...first, annotations: { ...first.annotations, ...annotations } };
};

const instance = (id: string, charge: Row["charge"]) => ({
    action: "CreateLoadBalancer",
    params: {
        LoadBalancerName: id,
        AddressType: "internet",
        InstanceChargeType: charge,
        ...(charge === "PayBySpec" ? { LoadBalancerSpec: "slb.s1.small" } : {}),
    },
    id,
});

/** The instance on which the cloud is asked. */
const twinOf = ({ charge, change }: Row): string => `twin-${charge}-${change}`.toLowerCase();

let session: Session;
let stack: Stack;
/** Answers of the cloud to each change by the Service's name, with a message where it refuses. */
const answers = new Map<string, string | undefined>();

/** Returns the attributes of an instance that decide its price. */
const paid = ({ instanceChargeType, spec, internetChargeType, bandwidth }: CloudInstance) => ({
    instanceChargeType,
    spec,
    internetChargeType,
    bandwidth,
});

/** Returns the price attributes of the instance behind each Service, and of the twin on which the cloud was asked. */
async function charges(): Promise<(row: Row) => { readonly own: unknown; readonly twin: unknown }> {
    const { slb } = await stateOf(session);
    const found = (test: (one: CloudInstance) => boolean) => {
        const one = slb.loadBalancers.find(test);
        if (one === undefined) throw new Error("no such instance");
        return paid(one);
    };
    const marked = new Map(
        slb.vServerGroups.map(({ name, loadBalancerId }) => [name.split("/")[2] ?? "", loadBalancerId]),
    );
    return (row) => ({
        own: found(({ id }) => id === marked.get(row.name)),
        twin: found(({ id }) => id === twinOf(row)),
    });
}

/** Returns the cloud's message if it refuses a change. */
async function ask(row: Row): Promise<string | undefined> {
    for (const [action, params] of CHANGES[row.change]?.calls ?? []) {
        const { status, body } = await session.cloud<{ readonly status: number; readonly body: unknown }>("/_console", {
            action,
            params: { LoadBalancerId: twinOf(row), ...params },
            as: "other",
        });
        if (status >= 400) return JSON.stringify(body);
    }
    return undefined;
}

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    await session.cloud("/_seed", {
        calls: TABLE.map((row) => instance(row.origin === "reused" ? `lb-${row.name}` : twinOf(row), row.charge)),
    });
    for (const row of TABLE) answers.set(row.name, await ask(row));
    stack = await Stack.create(session, "billing", TABLE.map(before));
    stack.succeed(await stack.up());
});

afterAll(async () => {
    await session.lab.stop();
    forget(stack);
});

test("the cloud accepts changes of PayBySpec instances and refuses those of PayByCLCU instances", () => {
    for (const { name, charge } of TABLE)
        expect([name, answers.get(name) === undefined]).toStrictEqual([name, charge === "PayBySpec"]);
});

/** The remedy that the preview names, which must lead to a run that goes through. */
const remedy = /Remedy: remove (?<names>.*?),? or (?:delete the Service|name another instance)/;

for (const row of TABLE.filter((one) => one.charge === "PayByCLCU")) {
    const { origin, charge, change, name } = row;
    test(`${origin}, ${charge}, ${change}: preview refuses what the cloud would refuse`, async () => {
        stack.write(
            TABLE.map((one) => (one.name === name ? having(row, CHANGES[change]?.annotations ?? {}) : before(one))),
        );
        const since = await session.lastCall();
        const text = stack.fail(await stack.preview());
        const failure = text.slice(text.indexOf("default/"));
        expect(failure).toMatch(new RegExp(`default/${name}`));
        if (origin === "managed" && change === "spec") {
            // The pair that the documents exclude: it needs no look at the instance.
            expect(text).toMatch(/annotation-exclusion.*spec/);
        } else {
            const named = remedy.exec(text)?.groups?.["names"] ?? "";
            const normal = named.toLowerCase().replace(/-/g, "");
            for (const annotation of Object.keys(CHANGES[change]?.annotations ?? {}))
                expect(normal).toContain(annotation.replace(/-/g, ""));
            expect(normal).not.toContain("instancechargetype");
        }
        const calls = await session.calls(since);
        expect(calls.filter(({ action }) => !/^(?:Describe|List|Get)/.test(action))).toStrictEqual([]);
    });
}

test("preview shows the changes that the cloud accepts, and up makes them", async () => {
    const taken = TABLE.filter(({ name }) => answers.get(name) === undefined);
    stack.write(
        TABLE.map((row) => (taken.includes(row) ? having(row, CHANGES[row.change]?.annotations ?? {}) : before(row))),
    );
    stack.succeed(await stack.run("up", ["--yes"]));
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    const of = await charges();
    for (const row of taken) {
        const { own, twin } = of(row);
        // A managed instance that names no bandwidth gets the documented 50 Mbit/s, but a user's instance keeps its
        // own.
        expect([row.name, own]).toStrictEqual([
            row.name,
            row.origin === "managed" && row.change === "charge" ? { ...(twin as object), bandwidth: 50 } : twin,
        ]);
    }
});

test("a managed instance keeps its charge type without the annotation, whatever the default is", async () => {
    stack.write(TABLE.map(plain));
    // Instances that are made are paid by specification.
    await stack.config("compatibility", "v2.4.0");
    const text = stack.succeed(await stack.run("up", ["--yes", "--diff"]));
    expect(text).not.toMatch(/instanceChargeType\s*: "PayBySpec" => "PayByCLCU"/);
    const check = async () => {
        const of = await charges();
        for (const row of TABLE.filter(({ origin }) => origin === "managed")) {
            const { instanceChargeType, spec, internetChargeType } = of(row).own as CloudInstance;
            expect([row.name, instanceChargeType, spec, internetChargeType]).toStrictEqual([
                row.name,
                row.charge,
                row.charge === "PayBySpec" ? "slb.s1.small" : "slb.lcu.elastic",
                "paybytraffic",
            ]);
        }
    };
    await check();
    await stack.config("compatibility", "v2.13.0");
    expect(await writesOf(session, async () => stack.succeed(await stack.up()))).toStrictEqual({});
    await check();
});

/** Instance of a user, paid by bandwidth. */
const BY_BANDWIDTH_ID = "lb-by-bandwidth";

/** Service that reuses it. */
const byBandwidth = (annotations: Annotations): ServiceSpec => ({
    name: "by-bandwidth",
    annotations: { id: BY_BANDWIDTH_ID, ...annotations },
});

test("instance-charge-type PayByCLCU converts a managed PayBySpec instance", async () => {
    const one = TABLE.find(({ name }) => name === "managed-paybyspec-both");
    if (one === undefined) throw new Error("no such Service");
    const made = instance(BY_BANDWIDTH_ID, "PayBySpec");
    const payment = { ...BY_BANDWIDTH, Bandwidth: "5" };
    await session.cloud("/_seed", { calls: [{ ...made, params: { ...made.params, ...payment } }] });
    stack.write([
        ...TABLE.map((row) =>
            row === one
                ? { name: row.name, annotations: { "instance-charge-type": "PayByCLCU", "delete-protection": "off" } }
                : plain(row),
        ),
        byBandwidth({}),
    ]);
    stack.succeed(await stack.up());
    const of = await charges();
    expect(of(one).own).toMatchObject({ instanceChargeType: "PayByCLCU", internetChargeType: "paybytraffic" });
});

test("reused: the payment may be stated, and a conversion is announced with its consequences", async () => {
    const id = BY_BANDWIDTH_ID;
    const writing = (annotations: Annotations) => stack.write([...TABLE.map(plain), byBandwidth(annotations)]);
    writing({ "instance-charge-type": "PayBySpec" });
    expect(stack.succeed(await stack.preview())).not.toMatch(/will be changed/);
    writing({ "instance-charge-type": "PayByCLCU" });
    const [announced = ""] = stack.succeed(await stack.run("up", ["--yes"])).split(/^Updating /m, 1);
    expect(announced.replace(/\s+/g, " ")).toMatch(
        pattern(
            /lb-by-bandwidth, which is not this Service's alone, will be changed: /,
            /instanceChargeType "PayBySpec" => "PayByCLCU", spec "slb\.s1\.small" => "slb\.lcu\.elastic", /,
            /internetChargeType "paybybandwidth" => "PayByTraffic", bandwidth "5" => "5120"/,
        ),
    );
    const { slb } = await stateOf(session);
    expect(
        paid(
            found(
                slb.loadBalancers.find((one) => one.id === id),
                id,
            ),
        ),
    ).toStrictEqual({
        instanceChargeType: "PayByCLCU",
        spec: "slb.lcu.elastic",
        internetChargeType: "paybytraffic",
        bandwidth: 5120,
    });
    writing({ "instance-charge-type": "PayBySpec" });
    const refused = stack.fail(await stack.preview());
    expect(refused).toMatch(/lb-by-bandwidth is paid by usage \(PayByCLCU\) and cannot go back to PayBySpec/);
    expect(refused).not.toMatch(/will be changed/);
});

test("a permitted change from PayByCLCU to PayBySpec replaces the instance", async () => {
    const one = "managed-paybyclcu-both";
    const changed = {
        name: one,
        annotations: { "instance-charge-type": "PayBySpec", spec: "slb.s2.small", "delete-protection": "off" },
    };
    const inner = { name: "new", annotations: { "address-type": "intranet", "delete-protection": "off" } };
    await stack.config("vswitches", '["vsw-lab-a"]');
    stack.write([changed, inner, byBandwidth({ "instance-charge-type": "PayByCLCU" })]);
    await stack.config("allowReplacement", JSON.stringify({ [`default/${one}`]: ["instanceChargeType"] }));
    const { slb: was } = await stateOf(session);
    const [text = ""] = stack.succeed(await stack.run("up", ["--yes", "--diff"])).split(/^Updating /m, 1);
    expect(text).toMatch(/instanceChargeType\s*: "PayByCLCU"\n/);
    expect(text).toMatch(/instanceChargeType\s*: "PayByCLCU" => "PayBySpec"/);
    const { slb } = await stateOf(session);
    const instanceOf = ({ vServerGroups, loadBalancers }: typeof slb) => {
        const id = vServerGroups.find(({ name }) => name.includes(`/${one}/`))?.loadBalancerId;
        return loadBalancers.find((found) => found.id === id);
    };
    expect(instanceOf(slb)).toMatchObject({ instanceChargeType: "PayBySpec", spec: "slb.s2.small" });
    expect(instanceOf(slb)?.id).not.toBe(instanceOf(was)?.id);
    // Nor does the instance that was converted before differ.
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
});

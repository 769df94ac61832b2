/** Data of a report. The schema is that of `--format json`, and its JSON schema is docs/report.schema.json. */

import { z } from "zod";
import { CHANGES } from "./step";

/** Version of the JSON. It changes when a member is removed or changes its meaning, not when a member is added. */
export const REPORT_VERSION = 1;

/** Effects of a change on the traffic of a Service, the least first. */
export const VERDICTS = [
    "nothing",
    "backends-only",
    "in-place",
    "adopts",
    "leaves",
    "creates",
    "interrupts",
    "replaces-listener",
    "replaces-address",
    "deletes",
] as const;

export type Verdict = (typeof VERDICTS)[number];

const CHANGE = z
    .enum(CHANGES)
    .describe("What happens to the object; import takes it over, keep leaves it in the cloud without managing it.");

const FIELD = z.object({
    field: z.string().describe("Name of the attribute."),
    before: z.string().nullable().describe("As text; null where it was not set."),
    after: z.string().nullable().describe("As text; null where it is no longer set."),
});

const SHARE = z.object({
    weight: z.number().describe("0 to 100; 0 takes no new connections."),
    share: z
        .number()
        .nullable()
        .describe(
            "Share of the group's new connections in percent, from 0 to 100; null where others' members count too.",
        ),
});

const BACKEND = z.object({
    key: z.string().describe("Backend key: an ECS instance, or an address with its port."),
    name: z.string().nullable().describe("Node or pod; null where no cluster names it."),
    change: CHANGE,
    before: SHARE.nullable(),
    after: SHARE.nullable(),
});

const GROUP = z.object({
    key: z.string().describe("Key of the server group in the Service, such as tcp-80."),
    change: CHANGE,
    id: z.string().nullable().describe("Id in the cloud; null while it is not made."),
    origin: z.enum(["created", "user-managed"]),
    synced: z
        .boolean()
        .describe("Whether the sync controller keeps the backends between runs, before the update or after it."),
    fields: z.array(FIELD),
    pending: z
        .string()
        .nullable()
        .describe("What the backends wait for and are known after; null where they are listed."),
    backends: z.array(BACKEND).describe("In the order of their keys."),
});

const LISTENER_FACTS = z.object({
    protocol: z.string(),
    port: z.string().describe("The port, or a range such as 8000-8080."),
});

const LISTENER = z.object({
    key: z.string().describe("Key of the listener in the Service, such as tcp-80."),
    change: CHANGE,
    before: LISTENER_FACTS.nullable(),
    after: LISTENER_FACTS.nullable(),
    group: z.string().nullable().describe("Key of the server group behind it; null where it has none."),
    fields: z.array(FIELD).describe("Attributes that change."),
});

const ADDRESS = z.object({
    value: z.string().nullable().describe("IP address or DNS name; null while it is not known."),
    public: z.boolean(),
});

const LOAD_BALANCER = z.object({
    kind: z.enum(["clb", "nlb"]),
    origin: z
        .enum(["created", "shared", "reused"])
        .describe("Made for this Service, made by the program for several, or made by a user."),
    change: CHANGE,
    id: z.string().nullable(),
    before: ADDRESS.nullable(),
    after: ADDRESS.nullable(),
    fields: z.array(FIELD),
});

const NOTICE = z.object({
    about: z.string().describe("The port, address or backend in question."),
    effect: z.string().describe("What a client notices."),
    duration: z.string().describe("For how long."),
});

const FINDING = z.object({
    severity: z.enum(["error", "warning", "info"]),
    rule: z.string().nullable().describe("The rule of the policy pack, or the diagnostic's code."),
    message: z.string(),
    remedy: z.string().nullable(),
    source: z.string().nullable(),
    position: z.string().nullable().describe("file:line:column, where it is known."),
    subject: z.string().nullable().describe("Service or resource in question; null for the whole preview."),
    known: z.boolean().describe("Whether a rule said the same before this change."),
});

const BILLING = z.object({ what: z.string(), change: z.enum(["starts", "stops", "changes"]) });

const LOSS = z.object({ subject: z.string(), address: z.string(), cause: z.string(), remedy: z.string() });

const OBJECT = z.object({ noun: z.string(), name: z.string(), change: CHANGE, fields: z.array(FIELD) });

const SUBJECT = z.object({
    subject: z.string().describe("Service namespace/name, or Shared load balancer name."),
    verdict: z.enum(VERDICTS),
    protected: z.boolean().describe("Whether Pulumi refuses to delete it."),
    refused: z.boolean().describe("Whether the preview failed at it: its findings say why."),
    loadBalancer: LOAD_BALANCER.nullable(),
    listeners: z.array(LISTENER),
    groups: z.array(GROUP),
    others: z.array(OBJECT).describe("Other objects of the Service that change, such as ACLs and certificates."),
    notices: z.array(NOTICE),
    userManaged: z.array(z.string()).describe("User-managed objects on the same instance."),
    findings: z.array(FINDING),
    billing: z.array(BILLING),
});

export const REPORT = z.object({
    version: z.literal(REPORT_VERSION),
    project: z.string(),
    stack: z.string(),
    verdict: z.enum(VERDICTS).describe("The gravest verdict of all subjects."),
    complete: z.boolean().describe("Whether the preview lists what does not change (--show-sames)."),
    failed: z
        .boolean()
        .describe("Whether the preview failed: an update is refused, and the report covers the steps before that."),
    losses: z.array(LOSS).describe("Public addresses that are released."),
    subjects: z.array(SUBJECT).describe("The gravest first."),
    findings: z.array(FINDING).describe("What belongs to no subject."),
});

type Deep<T> = T extends readonly (infer Item)[]
    ? readonly Deep<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Deep<T[Key]> }
      : T;

export type Report = Deep<z.output<typeof REPORT>>;
export type SubjectReport = Report["subjects"][number];
export type LoadBalancerReport = NonNullable<SubjectReport["loadBalancer"]>;
export type AddressReport = Deep<z.output<typeof ADDRESS>>;
export type GroupReport = SubjectReport["groups"][number];
export type BackendReport = GroupReport["backends"][number];
export type ObjectReport = SubjectReport["others"][number];
export type FieldChange = GroupReport["fields"][number];
export type Notice = SubjectReport["notices"][number];
export type Finding = SubjectReport["findings"][number];
export type BillingChange = SubjectReport["billing"][number];
export type Loss = Report["losses"][number];

export const reportSchema = (): object => z.toJSONSchema(REPORT, { io: "output" });

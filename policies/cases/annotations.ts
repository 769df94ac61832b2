import { type Case, component, contract, plain, resource, UNKNOWN } from "./case";

const OTHER = resource("kubernetes:core/v1:ConfigMap", { metadata: { name: "x" } });

/** For each rule about what reading finds: what it reports, and what it lets pass. */
const TABLE: readonly [rule: string, bad: Parameters<typeof plain>[0], message: RegExp][] = [
    [
        "annotations-values",
        { annotations: { "address-type": "Internet" } },
        /address-type"\]: "Internet" is not valid.*Remedy: /,
    ],
    [
        "annotations-values",
        { annotations: { shceduler: "wrr" } },
        /there is no annotation.*Remedy: did you mean ".*-scheduler"/,
    ],
    ["annotations-values", { annotations: { spec: "${SPEC}" } }, /contains the placeholder \$\{SPEC\}/],
    [
        "annotations-companions",
        { annotations: { ip: "10.0.0.1", "address-type": "intranet" } },
        /ip"\]: needs .*vswitch-id/,
    ],
    [
        "annotations-exclusions",
        { annotations: { spec: "slb.s1.small", "instance-charge-type": "PayByCLCU" } },
        /a specification cannot be combined/,
    ],
    ["annotations-service", { spec: { ports: [] } }, /spec\.ports: the Service has no ports/],
    ["annotations-service", { annotations: { "protocol-port": "http:81" } }, /81/],
    ["annotations-scope", { annotations: { "idle-timeout": "10" } }, /applies to HTTP and HTTPS listeners only/],
    [
        "annotations-effects",
        { annotations: { "health-check-interval": "10", "health-check-connect-timeout": "5" } },
        /a timeout of 5 s is less than the interval of 10 s/,
    ],
    [
        "annotations-legacy",
        { annotations: { "service.beta.kubernetes.io/alicloud-loadbalancer-address-type": "internet" } },
        /"service\.beta\.kubernetes\.io\/alicloud-loadbalancer-address-type" is the legacy name/,
    ],
    ["backends-scheduler", { spec: { externalTrafficPolicy: "Local" } }, /"rr" does not regard weights/],
    [
        "backends-scheduler",
        { annotations: { scheduler: "tch" }, spec: { externalTrafficPolicy: "Local" } },
        /"tch" does not regard weights/,
    ],
    ["backends-unchecked", { annotations: { "health-check-switch": "off" } }, /dead ones keep getting traffic/],
    ["access-hostname", { annotations: { hostname: "www.example.com" } }, /a pod that reaches itself/],
];

export const ANNOTATIONS: readonly Case[] = [
    ...TABLE.flatMap(([rule, bad, message], index): Case[] => [
        { rule, what: `(${index + 1}) a Service that a program applies`, given: plain(bad), expect: [message] },
        { rule, what: `(${index + 1}) excepted`, given: plain(bad), config: { except: ["shop/*"] }, expect: [] },
        {
            rule,
            what: `(${index + 1}) for another controller`,
            given: plain({ ...bad, spec: { ...bad?.spec, loadBalancerClass: "example.com/lb" } }),
            expect: "not applicable",
        },
        { rule, what: `(${index + 1}) nothing wrong`, given: plain(), expect: [] },
        { rule, what: `(${index + 1}) a component with nothing wrong`, given: component(), expect: [] },
        { rule, what: `(${index + 1}) another resource`, given: OTHER, expect: "not applicable" },
        { rule, what: `(${index + 1}) a contract`, given: contract({}), expect: "not applicable" },
        {
            rule,
            what: `(${index + 1}) annotations that are not known yet`,
            given: plain({ annotations: { scheduler: UNKNOWN } }),
            expect: "not known",
        },
        {
            rule,
            what: `(${index + 1}) an id that is not known yet`,
            given: plain({ annotations: { "resource-group-id": UNKNOWN, "example.com/mine": UNKNOWN } }),
            expect: [],
        },
    ]),
    {
        rule: "annotations-version",
        what: "an annotation that is younger than the cluster's controller",
        given: plain({ annotations: { hostname: "www.example.com" } }),
        config: { cluster: { compatibility: "v2.1.0" } },
        expect: [/v2\.3\.0/],
    },
    {
        rule: "annotations-version",
        what: "the newest controller",
        given: plain({ annotations: { hostname: "www.example.com" } }),
        expect: [],
    },
    { rule: "annotations-version", what: "another resource", given: OTHER, expect: "not applicable" },
    {
        rule: "annotations-version",
        what: "a port that is not known yet",
        given: plain({ spec: { ports: UNKNOWN } }),
        expect: "not known",
    },
    {
        rule: "annotations-realised",
        what: "this package is asked for what it cannot do",
        given: plain({
            annotations: { "external-ip-type": "eip" },
            spec: { loadBalancerClass: "ack-loadbalancer.io/clb" },
        }),
        expect: [/not realised/],
    },
    {
        rule: "annotations-realised",
        what: "the Cloud Controller Manager is asked for it",
        given: plain({ annotations: { "external-ip-type": "eip" } }),
        expect: [],
    },
    { rule: "annotations-realised", what: "another resource", given: OTHER, expect: "not applicable" },
    {
        rule: "annotations-realised",
        what: "a class that is not known yet",
        given: plain({ spec: { loadBalancerClass: UNKNOWN } }),
        expect: "not known",
    },
    {
        rule: "annotations-exclusions",
        what: "an internal Service without a vSwitch: the controller chooses one",
        given: plain({ annotations: { "address-type": "intranet" } }),
        expect: [],
    },
    {
        rule: "annotations-legacy",
        what: "a component says which keys were old",
        given: component({ annotations: { "service.beta.kubernetes.io/alicloud-loadbalancer-scheduler": "wrr" } }),
        expect: [/legacy name/],
    },
    {
        rule: "annotations-scope",
        what: "a component with settings from code",
        given: component({ settings: { idleTimeout: 10 } }),
        expect: [/HTTP and HTTPS listeners only/],
    },
    {
        rule: "backends-scheduler",
        what: "wrr",
        given: component({ annotations: { scheduler: "wrr" }, spec: { externalTrafficPolicy: "Local" } }),
        expect: [],
    },
    {
        rule: "backends-scheduler",
        what: "pods as backends",
        given: component({ spec: { externalTrafficPolicy: "Local" }, facts: { networkPlugin: "terway" } }),
        expect: [],
    },
];

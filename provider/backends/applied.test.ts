import { expect, test } from "@jest/globals";
import { keepsEndpoints } from "./endpoints";

const PORT = { port: 80, protocol: "TCP", targetPort: 8080 } as const;

const live = (spec: object) => ({
    metadata: { name: "web" },
    spec: { selector: { app: "web" }, ports: [{ ...PORT, nodePort: 30_080 }], ipFamilies: ["IPv4"], ...spec },
});

const service = (spec: Readonly<Record<string, unknown>> = {}, fields: object = {}) => ({
    selector: { app: "web" },
    ports: [PORT],
    object: { spec },
    ...fields,
});

const CASES: readonly (readonly [what: string, keeps: boolean, live: object, service: ReturnType<typeof service>])[] = [
    ["nothing differs", true, {}, service()],
    ["what the API server fills in is no difference", true, { clusterIP: "10.1.0.1" }, service()],
    ["another selector", false, {}, service({}, { selector: { app: "api" } })],
    ["a label more to select by", false, {}, service({}, { selector: { app: "web", tier: "front" } })],
    ["another targetPort", false, {}, service({}, { ports: [{ ...PORT, targetPort: "http" }] })],
    ["a port more", false, {}, service({}, { ports: [PORT, { ...PORT, port: 443 }] })],
    ["another name of a port", false, {}, service({}, { ports: [{ ...PORT, name: "web" }] })],
    ["pods that are not ready, from now on", false, {}, service({ publishNotReadyAddresses: true })],
    ["pods that are not ready, no more", false, { publishNotReadyAddresses: true }, service()],
    ["another IP family", false, {}, service({ ipFamilies: ["IPv6"] })],
    ["the same IP family", true, {}, service({ ipFamilies: ["IPv4"] })],
    ["other fields do not matter", true, {}, service({ externalTrafficPolicy: "Local" })],
    ["a Service without a selector in the cluster", false, { selector: undefined }, service()],
];

for (const [what, keeps, before, after] of CASES)
    test(`endpoints that were read before a Service is applied: ${what}`, () => {
        expect(keepsEndpoints(live(before), after)).toBe(keeps);
    });

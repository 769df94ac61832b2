import { expect, test } from "@jest/globals";
import { clbProtocol, nlbProtocol } from "./protocols";

test("protocols are read in whatever case the API or a resource writes them", () => {
    expect(["tcp", "UDP", "Http", "HTTPS"].map(clbProtocol)).toStrictEqual(["tcp", "udp", "http", "https"]);
    expect(["TCP", "UDP", "TCPSSL"].map(nlbProtocol)).toStrictEqual(["tcp", "udp", "tcpssl"]);
});

test("a protocol that a kind of load balancer does not have is an error that names those it has", () => {
    expect(() => clbProtocol("tcpssl")).toThrow(/"tcpssl" is no protocol .*a CLB.*Remedy: .*tcp, udp, http, https/);
    expect(() => nlbProtocol("HTTP")).toThrow(/"HTTP" is no protocol .*an NLB.*Remedy: .*tcp, udp, tcpssl/);
    expect(() => nlbProtocol("")).toThrow(/"" is no protocol/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { clbProtocol, nlbProtocol } from "./protocols";

test("protocols are read in whatever case the API or a resource writes them", () => {
    assert.deepEqual(["tcp", "UDP", "Http", "HTTPS"].map(clbProtocol), ["tcp", "udp", "http", "https"]);
    assert.deepEqual(["TCP", "UDP", "TCPSSL"].map(nlbProtocol), ["tcp", "udp", "tcpssl"]);
});

test("a protocol that a kind of load balancer does not have is an error that names those it has", () => {
    assert.throws(() => clbProtocol("tcpssl"), /"tcpssl" is no protocol .*a CLB.*Remedy: .*tcp, udp, http, https/);
    assert.throws(() => nlbProtocol("HTTP"), /"HTTP" is no protocol .*an NLB.*Remedy: .*tcp, udp, tcpssl/);
    assert.throws(() => nlbProtocol(""), /"" is no protocol/);
});

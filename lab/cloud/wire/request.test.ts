import { expect, test } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "../core";
import { parseRequest, type RawRequest } from "./request";
import { authenticate, NonceMemory, signV1, stringToSignV1 } from "./signature";

const WIRE = join("testdata", "alicloud-plugin", "wire");
const KEYS = { accessKeyId: "id", accessKeySecret: "secret" };

/** Reads a recorded request: a comment line, the request line, headers, an empty line, the body. */
function recorded(file: string): RawRequest {
    const text = readFileSync(join(WIRE, file), "utf8").replaceAll("\r\n", "\n");
    const [head = "", ...rest] = text.slice(text.indexOf("\n") + 1).split("\n\n");
    const [requestLine = "", ...headers] = head.split("\n");
    const [method = "", url = ""] = requestLine.split(" ");
    const pairs = headers
        .filter((line) => line.includes(":"))
        .map((line): [string, string] => [
            line.slice(0, line.indexOf(":")).toLowerCase(),
            line.slice(line.indexOf(":") + 1).trim(),
        ]);
    return { method, url, headers: Object.fromEntries(pairs), body: rest.join("\n\n").trim() };
}

/** The recorded request with our key, the time now and a valid signature in the query. */
function signed(raw: RawRequest, nonce: string, secret = KEYS.accessKeySecret): RawRequest {
    const url = new URL(raw.url, "http://x");
    const stamp = {
        AccessKeyId: "id",
        SignatureNonce: nonce,
        Timestamp: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    };
    for (const [name, value] of Object.entries(stamp)) url.searchParams.set(name, value);
    const text = stringToSignV1(parseRequest({ ...raw, url: url.pathname + url.search }));
    url.searchParams.set("Signature", signV1(text, secret));
    return { ...raw, url: url.pathname + url.search };
}

function outcome(raw: RawRequest, nonces = new NonceMemory(), now = Date.now()): string {
    try {
        authenticate(parseRequest(raw), (id) => (id === KEYS.accessKeyId ? KEYS : undefined), nonces, 900, now);
        return "OK";
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return error.code;
    }
}

const files = readdirSync(WIRE);

test("every recorded request is parsed: form, action, version, parameters", () => {
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
        const raw = recorded(file);
        const request = parseRequest(raw);
        expect([file, request.form]).toStrictEqual([file, file[0]?.toUpperCase()]);
        expect([file, request.action]).toStrictEqual([file, raw.headers["x-acs-action"]]);
        expect([file, request.version]).toStrictEqual([file, raw.headers["x-acs-version"]]);
        for (const name of ["Action", "Version", "AccessKeyId", "Signature", "Timestamp", "Format"])
            expect([`${file} ${name}`, request.params[name]]).toStrictEqual([`${file} ${name}`, undefined]);
    }
});

test("parameters of query and body are one set", () => {
    const job = parseRequest(recorded("c-nlb-get-job-status.txt"));
    expect(job.params["JobId"]).toBe("job-0001");
    expect(job.params["ClientToken"]).toBeTruthy();
    expect(
        parseRequest(recorded("a-slb-add-backends.txt")).params["BackendServers"]?.startsWith("[{'ServerId':'i-1'"),
    ).toBe(true);
});

test("every recorded request passes with a valid signature, and only with that", () => {
    files.forEach((file, i) => {
        const good = outcome(signed(recorded(file), `good-${i}`));
        const bad = outcome(signed(recorded(file), `bad-${i}`, "other"));
        expect([file, good, bad]).toStrictEqual([file, "OK", "SignatureDoesNotMatch"]);
    });
});

test("a changed parameter, an unknown key, an old time and a repeated nonce are refused", () => {
    const raw = signed(recorded("b-slb-create-tcp-listener.txt"), "n1");
    expect(outcome({ ...raw, url: raw.url.replace("ListenerPort=80", "ListenerPort=81") })).toBe(
        "SignatureDoesNotMatch",
    );
    expect(outcome({ ...raw, url: raw.url.replace("AccessKeyId=id", "AccessKeyId=who") })).toBe(
        "InvalidAccessKeyId.NotFound",
    );
    expect(outcome({ ...raw, url: raw.url.replace("AccessKeyId=id&", "") })).toBe("MissingAccessKeyId");
    expect(outcome(raw, new NonceMemory(), Date.now() + 3600_000)).toBe("InvalidTimeStamp.Expired");
    const nonces = new NonceMemory();
    expect(outcome(raw, nonces)).toBe("OK");
    expect(outcome(raw, nonces)).toBe("SignatureNonceUsed");
});

test("a JSON body is flattened to the names that a form has", () => {
    const headers = {
        "x-acs-action": "X",
        "x-acs-version": "1",
        "content-type": "application/json",
        authorization: "ACS3-HMAC-SHA256 Credential=id,SignedHeaders=host,Signature=x",
    };
    const request = parseRequest({
        method: "POST",
        url: "/?RegionId=r",
        headers,
        body: '{"Tag":[{"Key":"a","Value":1}],"On":true}',
    });
    expect(request.params).toStrictEqual({ RegionId: "r", "Tag.1.Key": "a", "Tag.1.Value": "1", On: "true" });
    expect(request.form).toBe("V3");
});

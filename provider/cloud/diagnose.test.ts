/**
 * Requirements: B36, D05, D12, D25, D26, G05, G08, G12, G13, G17, G18, G19, G20, G21, G22, G23, G24, G25, G26, G27,
 * G28, G29, G30, G31, G32, G33, G34, G35, G36, G38, G39, I04, I55, I56, X15, X28.
 */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY } from "../../lab/repository";
import { diagnose, diagnoses, type Symptom } from "./diagnose";
import { CloudError } from "./http/error";
import { classifyResponse } from "./http/failure";

/**
 * Every error of the documents' tables, as the API gives it and as CCM's events quote it, with the finding and a word
 * that its remedy must say.
 */
const cases: (readonly [Symptom | string, string, RegExp])[] = [
    [
        "The backend server number has reached to the quota limit of this load balancers",
        "server-group-quota",
        /externalTrafficPolicy: Local.*backend-label/,
    ],
    [
        "The backend server number has reached to the quota limit of this load balancer",
        "backend-quota",
        /separate load balancer/,
    ],
    [
        "The backend server number has reached to the quota limit of this load balancer.",
        "backend-quota",
        /Quota Center/,
    ],
    [{ code: "BackendServerNumberOverLimit" }, "backend-quota", /Quota Center/],
    [{ code: "InstanceBackendServerNumberOverLimit" }, "backend-quota", /Quota Center/],
    [
        "The loadbalancer does not support backend servers of eni type",
        "eni-on-shared-instance",
        /v2\.5\.0.*slb\.s1\.small.*PayBySpec.*PayByCLCU/,
    ],
    [{ code: "VServerGroupProcessing" }, "server-group-busy", /run again/],
    ["There are no available nodes for LoadBalancer", "no-backend", /selector/],
    [
        "alicloud: not able to find loadbalancer named [web] in openapi, but it's defined in " +
            "service.loaderbalancer.ingress. this may happen when you removed loadbalancerid annotation",
        "load-balancer-lost",
        /loadbalancer-id.*kubernetes\.do\.not\.delete/,
    ],
    ["alicloud: can not find loadbalancer, but it's defined in service", "load-balancer-lost", /EXTERNAL-IP/],
    ["ORDER.ARREARAGE Message: The account is arrearage.", "arrears", /Pay/],
    [{ code: "ORDER.ARREARAGE", message: "The account is arrearage." }, "arrears", /Pay/],
    ["PAY.INSUFFICIENT_BALANCE Message: Your account does not have enough balance.", "balance", /Top/],
    [{ code: "PAY.INSUFFICIENT_BALANCE" }, "balance", /Top/],
    ["Status Code: 400 Code: Throttlingxxx", "throttled", /later/],
    [{ code: "Throttling.User" }, "throttled", /parallel/],
    [{ code: "Throttling.Api" }, "throttled", /Quota Center/],
    [{ code: "Rejected.Throttling" }, "throttled", /later/],
    [
        "Status Code: 400 Code: RspoolVipExist Message: there are vips associating with this vServer group.",
        "server-group-in-use",
        /Delete the listener/,
    ],
    [{ code: "RspoolVipExist" }, "server-group-in-use", /CLB console/],
    ["Status Code: 400 Code: NetworkConflict", "other-vpc", /cluster's VPC/],
    [{ code: "NetworkConflict" }, "other-vpc", /cluster's VPC/],
    [
        "Status Code: 400 Code: VSwitchAvailableIpNotExist Message: The specified VSwitch has no available ip.",
        "vswitch-full",
        /vswitch-id/,
    ],
    [{ code: "VSwitchAvailableIpNotExist" }, "vswitch-full", /vswitch-id/],
    ["Message: The specified VSwitch does not exist.", "vswitch-missing", /vswitch-id/],
    [{ code: "InvalidVSwitchId.NotFound" }, "vswitch-missing", /vswitch-id/],
    ["The specified Port must be between 1 and 65535.", "target-port-name", /integer/],
    [
        "Status Code: 400 Code: ShareSlbHaltSales Message: The share instance has been discontinued.",
        "shared-instance-discontinued",
        /compatibility/,
    ],
    [{ code: "ShareSlbHaltSales" }, "shared-instance-discontinued", /spec/],
    ["alicloud: can not change ResourceGroupId once created", "resource-group-fixed", /Remove.*resource-group-id/],
    ["can not find eniid for ip 172.16.0.9 in vpc vpc-abc", "eni-not-found", /backend-type/],
    [
        "The operation is not allowed because the instanceChargeType of loadbalancer is PayByCLCU.",
        "billing-fixed",
        /Remove.*spec.*PayByCLCU/,
    ],
    ["User does not have permission modify InstanceChargeType to spec.", "billing-fixed", /Remove.*spec/],
    [
        "the loadbalancer lb-1 can not be reused, can not reuse loadbalancer created by kubernetes.",
        "reuse-of-created",
        /console/,
    ],
    [
        "alicloud: can not change LoadBalancer AddressType once created. delete and retry",
        "address-type-fixed",
        /delete the Service/,
    ],
    ["can not change LoadBalancer AddressIPVersion once created", "address-ip-version-fixed", /delete the Service/],
    [
        "alicloud: service has been associated with ip [1.2.3.4], cannot be bound to ip [5.6.7.8]",
        "rebound",
        /former id/,
    ],
    [
        "the loadbalancer lb-1 can not be reused, " +
            "service has been associated with ip [1.2.3.4], cannot be bound to ip [5.6.7.8]",
        "rebound",
        /former id/,
    ],
    [
        "the loadbalancer nlb-1 can not be reused, " +
            "service has been associated with dnsname [a], cannot be bound to dnsname [b]",
        "rebound",
        /former id/,
    ],
    [
        'FailedAddFinalizer Error adding finalizer: services "web" is forbidden: ' +
            'User "system:serviceaccount:kube-system:ccm" cannot patch resource "services"',
        "object-not-written",
        /ClusterRole/,
    ],
    [
        "curl: (35) error:1408F10B:SSL routines:ssl3_get_record:wrong version number",
        "tls-intercepted",
        /cluster address .*svc\.cluster\.local.*hostname/,
    ],
    [
        "User not authorized to operate on the specified resource, or this API doesn't support RAM: nlb:ListAsynJobs",
        "permission-ccm",
        /nlb:ListAsynJobs.*Flannel vpc:CreateRouteEntries and vpc:DeleteRouteEntries.*k8sMasterRolePolicy-Ccm/,
    ],
    [
        { code: "Forbidden.RAM", message: "User not authorized to operate on the specified resource." },
        "permission",
        /docs\/ram-policy\.md/,
    ],
    [{ code: "CertificateNotExist" }, "certificate-missing", /cert-id/],
    ["The specified ServerCertificateId does not exist.", "certificate-missing", /cert-id/],
    ["The certificate has expired", "certificate-expired", /renewed/],
    [
        { code: "InvalidAccessKeyId.NotFound", message: "Specified access key is not found." },
        "key-unknown",
        /ACCESS_KEY_ID/,
    ],
    [{ code: "SignatureDoesNotMatch" }, "key-secret", /SECRET/],
    [{ code: "InvalidSecurityToken.Expired" }, "token-expired", /new ones/],
    [{ code: "ECONNREFUSED", message: "connect ECONNREFUSED 127.0.0.1:1" }, "unreachable", /HTTPS_PROXY/],
    [{ code: "UnexpectedAnswer", message: "the answer has no LoadBalancerId" }, "unexpected-answer", /Run again/],
    [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "certificate-untrusted", /NODE_EXTRA_CA_CERTS/],
    [
        "The ECS instance has been attached to too many load balancers; the limit is 50",
        "instances-per-server-quota",
        /Local/,
    ],
    [
        { code: "InvalidParameter", message: "The specified VServerGroupId does not exist." },
        "server-group-gone",
        /refresh/,
    ],
    [{ code: "ResourceNotFound.serverGroup" }, "server-group-gone", /refresh/],
    [{ code: "ResourceNotFound.listener" }, "listener-gone", /refresh/],
    [{ code: "ObtainIpFail" }, "backend-not-running", /providerID/],
    [{ code: "InvalidBackendServers.Inconsistent" }, "backend-other-vpc", /VPC/],
    ["find vservergroup error: can not find vgroup by name k8s/80/web/default/c1", "vgroup-port", /vgroup-port/],
    [{ code: "InvalidLoadBalancerId.NotFound" }, "load-balancer-gone", /loadbalancer-id/],
    [{ code: "OperationDenied.DeleteProtectionIsOn" }, "deletion-protected", /delete-protection/],
    [
        "SetLoadBalancerDeleteProtection failed: Forbidden.RAM: " +
            "User not authorized to operate on the specified resource.",
        "permission",
        /docs\/ram-policy\.md/,
    ],
    [
        '{"Code":"Throttling.User","AccessDeniedDetail":{"AuthAction":"slb:SetLoadBalancerModificationProtection"}}',
        "throttled",
        /later/,
    ],
    ["lb-1: OperationDenied.DeleteProtectionIsOn", "deletion-protected", /delete-protection/],
    ["The delete protection of lb-1 is on.", "deletion-protected", /delete-protection/],
    [{ code: "OperationDenied.ModificationProtection" }, "modification-protected", /NonProtection/],
    [{ code: "OverQuota" }, "load-balancer-quota", /Quota Center/],
    [{ code: "ORDER.QUANTITY_INVALID" }, "load-balancer-quota", /Quota Center/],
    [{ code: "TagCountLimit" }, "tag-quota", /additional-resource-tags/],
    ["the loadbalancer is used by the api server", "reuse-failed", /Name another/],
    [{ code: "ListenerAlreadyExists" }, "listener-port-taken", /force-override-listeners/],
    [{ code: "ListenerNumberOverLimit" }, "listener-quota", /fewer ports/],
    [{ code: "CertificateAndPrivateKeyIsRefered" }, "certificate-in-use", /another certificate/],
    [{ code: "AclNotExist" }, "acl-missing", /acl-id.*--replace/],
    [{ code: "InvalidParameter", message: "The specified resource does not exist." }, "listener-gone", /refresh/],
    [{ code: "NO_REAL_NAME_AUTHENTICATION" }, "real-name", /verification/],
    [{ code: "InvalidTimeStamp.Expired" }, "clock", /NTP/],
    [{ code: "HTTP 502" }, "service-unavailable", /ticket/],
    ["alicloud: can not change LoadBalancer master zone id once created", "zone-fixed", /former values/],
    [
        "alicloud: can not change LoadBalancer network type once created. delete and retry",
        "network-type-fixed",
        /VPCs only/,
    ],
    ["alicloud: can not change LoadBalancer ip once created", "address-fixed", /former address/],
    ["Name: web\nEvents:            <none>", "no-events", /upgrade CCM/],
    ["web  LoadBalancer  172.16.0.9  <pending>  80:30080/TCP", "pending", /describe svc/],
    [
        {
            code: "Forbidden.RAM",
            message: "User not authorized to operate on the specified resource: nlb:ListAsynJobs",
        },
        "permission",
        /docs\/ram-policy\.md/,
    ],
    ["Error syncing load balancer: something that no table knows", "sync-failed", /describe svc/],
    ["Error syncing load balancer [lb-1]: Status Code: 400 Code: NetworkConflict", "other-vpc", /cluster's VPC/],
    // Reasons of CCM's events, alone and with the words that stand beside them.
    ["SyncLoadBalancerFailed", "sync-failed", /describe svc/],
    ["UnAvailableLoadBalancer", "no-backend", /selector/],
    ["SkipSyncBackends", "backends-skipped", /pod/],
    ["Not sync pods [10.0.0.9] whose eni is invalid", "backends-skipped", /pod/],
    ["Skip delete and update backends to vgroup k8s/80 due to invalid backends: ip", "backends-skipped", /pod/],
    ["FeatureNotSupported", "source-ranges-of-reused-nlb", /security group/],
    ["FailedSetEIPAddress", "elastic-ip-unknown", /DescribeEipAddresses/],
    ["get eip error, set external ip to slb ip", "elastic-ip-unknown", /DescribeEipAddresses/],
    ...["AddFinalizer", "RemoveFinalizer", "AddHash", "RemoveHash", "UpdateStatus", "UpdateReadinessGate"].map(
        (step) => [`Failed${step}`, "object-not-written", /ClusterRole/] as const,
    ),
    ["CleanLoadBalancerFailed", "clean-failed", /describe svc/],
    ["Error deleting load balancer [lb-1]: nobody knows why", "clean-failed", /describe svc/],
    ["PreservedOnDelete", "preserved", /preserve-lb-on-delete/],
    ["The lb [lb-1] will be preserved after the service is deleted.", "preserved", /preserve-lb-on-delete/],
    ...["AnnotationChanged", "ServiceSpecChanged", "TypeChanged", "DeleteTimestampChanged"].map(
        (reason) => [reason, "service-changed", /next event/] as const,
    ),
    ["EnsuredLoadBalancer", "ensured", /Nothing/],
    ["CleanLoadBalancer", "cleaned", /Nothing/],
];

/** Messages of the API for one code: the message decides. */
const QUOTA = (quota: string) => ({
    code: "QuotaExceeded.QuotaInsufficient",
    message: `The quota of ${quota} is exceeded, usage 50/50.`,
});
cases.push(
    [QUOTA("nlb_quota_loadbalancers_num"), "load-balancer-quota", /share a load balancer/],
    [QUOTA("nlb_quota_loadbalancer_listeners_num"), "listener-quota", /fewer ports/],
    [QUOTA("nlb_quota_server_added_num"), "quota", /message names/],
    [QUOTA("securitygroup"), "quota", /message names/],
    [{ code: "QuotaExceeded.TagsPerResource" }, "tag-quota", /fewer tags/i],
    ["SDKError: Code: ResourceInConfiguring.loadbalancer, try again", "busy", /Run again/],
    [{ code: "OperationFailed.ListenerStatusNotSupport" }, "busy", /Run again/],
    [{ code: "OperationDenied.LoadBalancerNotChanged" }, "busy", /Run again/],
);

/** The refusals of the recordings that the alicloud plugin, or this package, meets while an object is busy. */
const RECORDED = JSON.parse(
    fs.readFileSync(path.join(REPOSITORY, "testdata/alicloud-plugin/retries.json"), "utf8"),
) as { fault: string; result: string }[];
const NOT_BUSY =
    /^(?:HTTP |Throttling|ServiceUnavailable$|InternalError$|connection closed$|AclInUsed$|Certificate|DomainExist$|Invalid|OperationFailed\.UnavailableZone$|ResourceInUse)/;
for (const code of new Set(RECORDED.map(({ fault }) => fault).filter((fault) => !NOT_BUSY.test(fault)))) {
    test(`${code} is tried again here, and explained as busy where the plugin meets it`, () => {
        expect(classifyResponse(code, 400)).toBe("busy");
        const found = diagnose(`alicloud: [SDK ERROR] Code: ${code}, Message: x`);
        expect(found?.code).toMatch(/busy$/);
        expect(found?.remedy).toMatch(/run again/i);
    });
}

for (const [symptom, id, remedy] of cases) {
    test(`${typeof symptom === "string" ? symptom : `${symptom.code} ${symptom.message ?? ""}`} → ${id}`, () => {
        const found = diagnose(symptom);
        expect(found?.code).toBe(id);
        expect(found?.remedy ?? "").toMatch(remedy);
    });
}

test("what is not known has no finding", () => {
    for (const symptom of ["", "all is well", { code: "SomethingNew", message: "Nobody has seen this." }])
        expect(diagnose(symptom)).toBeUndefined();
});

test("a code that a longer message quotes in passing does not beat the error's own code", () => {
    expect(diagnose({ code: "InvalidParameter", message: "see also NetworkConflict" })).toBeUndefined();
});

test("every finding can occur, is named once, and says cause, remedy and document", () => {
    const names = diagnoses.map(({ code }) => code);
    expect(new Set(names).size).toBe(names.length);
    const met = new Set<string>(cases.map(([, id]) => id));
    expect(names.filter((name) => !met.has(name))).toStrictEqual([]);
    for (const { cause, remedy, source: document } of diagnoses) {
        expect(cause).toMatch(/\.$/);
        expect(remedy).toMatch(/\.$|\)$/);
        expect(document.length).toBeGreaterThan(10);
    }
});

test("a failed call carries the finding", () => {
    const error = new CloudError({
        action: "CreateLoadBalancer",
        code: "VSwitchAvailableIpNotExist",
        message: "The specified VSwitch has no available ip.",
        kind: "final",
        requestId: "R-1",
        httpStatus: 400,
        attempts: 1,
    });
    expect(error.cause ?? "").toMatch(/no free address/);
    expect(error.remedy ?? "").toMatch(/vswitch-id/);
    expect(error.message.split("\n")[0]).toBe(
        "CreateLoadBalancer failed: VSwitchAvailableIpNotExist: The specified VSwitch has no " +
            "available ip. (request id R-1, 1 try)",
    );
});

import { rule } from "../core";

const CREATE = "NLB API CreateLoadBalancer, error codes";

export const VPC_EXISTS = rule({
    id: "nlb.load-balancer.vpc-exists",
    code: "ResourceNotFound.Vpc",
    status: 404,
    message: "The specified resource of Vpc is not found.",
    when: "the VPC is unknown",
    source: CREATE,
});

export const NO_ARREARS = rule({
    id: "nlb.account.arrears",
    code: "OperationFailed.UnpaidBill",
    message: "The operation failed because of UnpaidBill.",
    when: "an instance is bought while `account.inArrears` is set",
    source: CREATE,
});

export const NAME_FORM = rule({
    id: "nlb.load-balancer.name",
    code: "IllegalParam.loadBalancerName",
    message: "Param loadBalancerName is illegal.",
    when: "the name is not 2 to 128 letters, digits, `.`, `_`, `-`, beginning with a letter",
    source: CREATE,
});

export const REASON_FORM = rule({
    id: "nlb.load-balancer.protection-reason",
    code: "IllegalParam.%s",
    message: "%s reason is illegal.",
    when:
        "the reason of a protection is not 2 to 128 letters, digits, `.`, `_`, `-`, beginning with a letter; " +
        "recordings use one letter, so off unless switched on",
    source: CREATE,
    enforcement: "off",
});

export const NOT_DELETE_PROTECTED = rule({
    id: "nlb.load-balancer.delete-protection",
    code: "OperationDenied.DeletionProtectionEnabled",
    message: "The operation is not allowed because of DeletionProtectionEnabled.",
    when: "the instance is deleted while its deletion protection is on",
    source: "NLB API DeleteLoadBalancer, error codes",
    enforcement: "always",
});

export const SECURITY_GROUP_EXISTS = rule({
    id: "nlb.load-balancer.security-group-exists",
    code: "ResourceNotFound.SecurityGroup",
    status: 404,
    message: "The specified resource of SecurityGroup is not found.",
    when: "a security group is unknown",
    source: "NLB API LoadBalancerJoinSecurityGroup (the code is this lab's)",
});

export const PACKAGE_EXISTS = rule({
    id: "nlb.load-balancer.bandwidth-package-exists",
    code: "ResourceNotFound.BandwidthPackage",
    status: 404,
    message: "The specified resource of BandwidthPackage is not found.",
    when: "a bandwidth package is unknown",
    source: "NLB API AttachCommonBandwidthPackageToLoadBalancer (the code is this lab's)",
});

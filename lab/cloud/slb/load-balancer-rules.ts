import { rule } from "../core";

const CREATE = "CLB API CreateLoadBalancer, error codes";

export const NO_ARREARS = rule({
    id: "slb.account.arrears",
    code: "ORDER.ARREARAGE",
    message: "The account is arrearage.",
    when: "an instance is bought while `account.inArrears` is set",
    source: "ACK FAQ about Services, error table; CLB API, common error codes",
});

export const BALANCE_ENOUGH = rule({
    id: "slb.account.balance",
    code: "PAY.INSUFFICIENT_BALANCE",
    message: "Your account does not have enough balance.",
    when: "an instance is bought while `account.balance` is below CNY 100",
    source: "ACK FAQ about Services, error table",
});

export const SHARED_NOT_SOLD = rule({
    id: "slb.load-balancer.not-shared",
    code: "ShareSlbHaltSales",
    message: "The share instance has been discontinued.",
    when: "neither a specification nor PayByCLCU is given, which would make a shared-resource instance",
    source: "CLB API CreateLoadBalancer, parameter LoadBalancerSpec; ACK FAQ about Services, error table",
});

export const ZONE_KNOWN = rule({
    id: "slb.load-balancer.zone",
    code: "PRODUCT.NOT_AVAILABLE_IZ",
    message: "The Instance zone id doesn t support",
    when: "primary or secondary zone is not one of the region, or both are the same",
    source: CREATE,
});

export const IPV6_ONLY_PUBLIC = rule({
    id: "slb.load-balancer.ipv6-internet",
    code: "InvalidParameter.Mismatch",
    message: "AddressType and IpVersion is conflict, IPv6 does not support intranet instance.",
    when: "an IPv6 instance of type intranet is asked for",
    source: CREATE,
});

export const VSWITCH_GIVEN = rule({
    id: "slb.load-balancer.vswitch-given",
    code: "MissingParam.VSwitchId",
    message: "The parameter VSwitchId is required.",
    when: "an intranet instance is asked for without a vSwitch",
    source: CREATE,
});

export const VSWITCH_EXISTS = rule({
    id: "slb.load-balancer.vswitch-exists",
    code: "VSwitchNotExist",
    message: "The specified VSwitch does not exist.",
    when: "the vSwitch is unknown",
    source: `${CREATE}; ACK FAQ about Services, error table`,
    enforcement: "always",
});

export const VSWITCH_IN_VPC = rule({
    id: "slb.load-balancer.vswitch-in-vpc",
    code: "InvalidVpcId.NotExist",
    message: "The specified VPC not exist.",
    when: "VpcId is given and is not the VPC of the vSwitch",
    source: CREATE,
});

export const NAME_FORM = rule({
    id: "slb.load-balancer.name",
    code: "InvalidParameter",
    message: "The Lb Name is Not supported.",
    when:
        "the name is longer than 128 characters, does not start with a letter, " +
        "or holds other than letters, digits, `.`, `_`, `-`, `/`",
    source: "CLB API SetLoadBalancerName; ACK annotation reference, loadbalancer-name; CLB API, common error codes",
});

export const INSTANCE_QUOTA = rule({
    id: "slb.load-balancer.quota",
    code: "ORDER.QUANTITY_INVALID",
    message: "The maximum number of SLB instances is exceeded.",
    when: "the account would have more instances than `quotas.loadBalancers`",
    source: "CLB quotas (slb_quota_instances_num); CLB API, common error codes",
});

export const TOKEN_SAME_REQUEST = rule({
    id: "slb.load-balancer.client-token",
    code: "LX_REQUEST_TOKEN_CONFLICT",
    message: "The ClientToken is conflict.",
    when: "a client token is used again with other parameters",
    source: "CLB API, common error codes",
});

export const BANDWIDTH_RANGE = rule({
    id: "slb.load-balancer.bandwidth",
    code: "InvalidParameter.Bandwidth",
    message: "The param Bandwidth is invalid.",
    when: "the bandwidth is not 1 to 5120 Mbit/s",
    source: CREATE,
});

export const CLCU_BY_TRAFFIC = rule({
    id: "slb.load-balancer.clcu-by-traffic",
    code: "Instance.InternetChargeTypeNotAllowed",
    message: "Illegal parameter. The specified InternetChargeType not allowed.",
    when: "a PayByCLCU instance is to be charged by bandwidth",
    source: "CLB API CreateLoadBalancer, parameter InternetChargeType",
});

export const PROTECTION_REASON = rule({
    id: "slb.load-balancer.protection-reason",
    code: "InvalidParam.ModificationProtectionReason",
    message: "The param ModificationProtectionReason is invalid.",
    when: "the reason is longer than 80 characters or does not start with a letter",
    source: "CLB API CreateLoadBalancer, parameter ModificationProtectionReason",
});

export const NOT_DELETE_PROTECTED = rule({
    id: "slb.load-balancer.delete-protection",
    code: "OperationDenied.DeleteProtectionIsOn",
    message: "The loadbalancer can not be deleted due to DeleteProtection is enabled.",
    when: "the instance is deleted while its deletion protection is on",
    source: "CLB API DeleteLoadBalancer, error codes; testdata/alicloud-plugin (alb-delete-protected)",
    enforcement: "always",
});

export const NOT_MODIFICATION_PROTECTED = rule({
    id: "slb.load-balancer.modification-protection",
    code: "OperationDenied.ModificationProtection",
    message: "The loadbalancer can not be modified in the console due to ModificationProtection is enabled.",
    when:
        "a user changes, in the web console, an instance whose status is ConsoleProtection; " +
        "API calls are not held back",
    source:
        "CLB API SetLoadBalancerModificationProtection (the console has no documented code; " +
        "code and text are this lab's)",
});

export const SPEC_CHANGE_ALLOWED = rule({
    id: "slb.load-balancer.spec-change",
    code: "OperationDenied.PayByCLCU",
    message: "The operation is not allowed because the instanceChargeType of loadbalancer is PayByCLCU.",
    when: "the specification of a PayByCLCU instance is changed",
    source: "CLB API ModifyLoadBalancerInstanceSpec, error codes; ACK FAQ about Services, error table",
});

export const CLCU_IS_ONE_WAY = rule({
    id: "slb.load-balancer.clcu-one-way",
    code: "UserNotAllowed",
    message: "User does not have permission modify InstanceChargeType to spec.",
    when: "a PayByCLCU instance is changed to PayBySpec",
    source: "ACK FAQ about Services, error table (message; the code is from the CLB common error codes)",
});

export const INTRANET_BY_TRAFFIC = rule({
    id: "slb.load-balancer.intranet-charge",
    code: "ActionNotAllowed",
    message: "The Intranet LB's InternetChargeType is not allowed change to paybybandwidth.",
    when: "the public charge type or bandwidth of an intranet instance is changed",
    source: "CLB API, common error codes",
});

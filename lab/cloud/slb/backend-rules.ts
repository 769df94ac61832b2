import { rule } from "../core";

const ADD = "CLB API AddVServerGroupBackendServers";

export const WELL_FORMED = rule({
    id: "slb.backend.well-formed",
    code: "BackendServersMalformed",
    message: "the specified parameter BackendServers is unavailable.",
    when: "the list of backends cannot be read; JSON with double or single quotes is understood",
    source: "CLB API, common error codes; testdata/alicloud-plugin/wire (a-slb-add-backends)",
    enforcement: "always",
});

export const LIST_GIVEN = rule({
    id: "slb.backend.list-given",
    code: "MissingBackendServers",
    message: "BackendServers is mandatory for this action.",
    when:
        "a call that adds or removes backends carries none; the alicloud plugin sends such a call after 20, " +
        "40, … inline servers, and whether the cloud refuses it is unknown",
    source: `${ADD}, parameter BackendServers; testdata/alicloud-plugin (README, fact 15)`,
    enforcement: "off",
});

export const CALL_LIMIT = rule({
    id: "slb.backend.per-call",
    code: "TooManyBackendServers",
    message: "The total number of input real servers exceeds max supported number: %s",
    when: "a call carries more backends than `quotas.backendsPerCall`",
    source: `${ADD}, parameter BackendServers; CLB API, common error codes`,
});

export const SERVER_ID_GIVEN = rule({
    id: "slb.backend.server-id",
    code: "InvalidParameter",
    message: "The VmName is emtpy.",
    when: "a backend has no ServerId",
    source: "CLB API, common error codes",
    enforcement: "always",
});

export const PORT_RANGE = rule({
    id: "slb.backend.port",
    code: "InvalidParameter",
    message: "The specified Port must be between 1 and 65535.",
    when: "the port of a group member is absent or not 1 to 65535",
    source: "ACK FAQ about Services, error table; CLB API, common error codes",
    enforcement: "always",
});

export const WEIGHT_RANGE = rule({
    id: "slb.backend.weight",
    code: "InvalidWeight.Malformed",
    message: "A specified weight is not valid.",
    when: "the weight is not 0 to 100",
    source: `${ADD}, parameter BackendServers; CLB API, common error codes`,
    enforcement: "always",
});

export const TYPE_KNOWN = rule({
    id: "slb.backend.type",
    code: "BackendServer.InvalidType",
    message: "The specified Type is invalid.",
    when: "the type is not ecs, eni or eci",
    source: `${ADD}, error codes`,
});

export const DESCRIPTION_FORM = rule({
    id: "slb.backend.description",
    code: "InvalidParameter",
    message: "The specified BackendServers is invalid, as the length of Description should be in [1, 80].",
    when: "the description is longer than 80 characters",
    source: `${ADD}, parameter BackendServers`,
    enforcement: "off",
});

export const ENI_NEEDS_GUARANTEED = rule({
    id: "slb.backend.eni-spec",
    code: "InvalidParameter",
    message: "The loadbalancer does not support backend servers of eni type",
    when: "an eni or eci backend on a shared-resource instance",
    source: "ACK FAQ about Services, error table (the code is not given there)",
});

export const INSTANCE_EXISTS = rule({
    id: "slb.backend.instance-exists",
    code: "InvalidServerId.NotExist",
    message: "The specified ServerId is not exist.",
    when: "no ECS instance has the id",
    source: `${ADD}, error codes`,
});

export const INSTANCE_RUNNING = rule({
    id: "slb.backend.instance-running",
    code: "ObtainIpFail",
    message:
        "The specified BackendServers is invalid; " +
        "some of the specified backend servers do not exist or are not running.",
    when: "the ECS instance is not running",
    source: "CLB API, common error codes",
});

export const ENI_EXISTS = rule({
    id: "slb.backend.eni-exists",
    code: "ResourceNotFound.vServers",
    status: 404,
    message: "The specified enis %s does not exist.",
    when: "no network interface has the id",
    source: `${ADD}, error codes`,
});

export const ENI_HAS_ADDRESS = rule({
    id: "slb.backend.eni-address",
    code: "InvalidParameter",
    message: "The specified ServerIp %s does not belong to the ENI %s.",
    when: "ServerIp is not an address of the network interface",
    source: `${ADD}, parameter BackendServers (several addresses of one ENI; the text is this lab's)`,
});

export const SAME_NETWORK = rule({
    id: "slb.backend.same-vpc",
    code: "NetworkConflict",
    message: "there are network conflicts in specified parameter.",
    when: "a backend is in another VPC than the intranet instance",
    source: `${ADD}, error codes; ACK FAQ about Services, error table`,
});

export const ONE_VPC = rule({
    id: "slb.backend.one-vpc",
    code: "InvalidBackendServers.Inconsistent",
    message: "All BackendServers on one Specified LoadBalancer have to be in the same vpc or all classic",
    when: "backends of one instance are in different VPCs",
    source: "CLB API, common error codes",
});

export const ADDRESS_CONFLICT = rule({
    id: "slb.backend.address-conflict",
    code: "InvalidBackendServers.ServerIpConflict",
    message: "The ServerIp %s with port %s is already used by another backend server.",
    when:
        "one group would hold the same address and port through two server ids, " +
        "as when a pod address has moved to another ENI",
    source: `${ADD}, error codes`,
});

export const INSTANCE_BACKEND_QUOTA = rule({
    id: "slb.backend.instance-quota",
    code: "InstanceBackendServerNumberOverLimit",
    message: "The backend server number has reached to the quota limit of this load balancer",
    when: "the members of all groups of the instance would exceed `quotas.backendsPerLoadBalancer`",
    source:
        "CLB quotas (slb_quota_backendservers_num); ACK FAQ about Services, error table; " +
        "kubernetes/cloud-provider-alibaba-cloud (code)",
});

export const ATTACHMENT_QUOTA = rule({
    id: "slb.backend.attachment-quota",
    code: "ServerAttachedNumberOverLimit",
    message: "The backend server number has reached to the quota limit of this load balancers",
    when: "a server would be a backend more often than `quotas.attachmentsPerServer`",
    source:
        "CLB quotas (slb_quota_backendserver_attached_num); " +
        "ACK FAQ about Services, error table (the code is this lab's)",
});

/** Known errors of the Alibaba Cloud API and of the Cloud Controller Manager. `docs/errors.md` describes each with cause and remedy. */
export type CloudErrorCode =
    /** The role of the cluster's Cloud Controller Manager lacks permissions. */
    | "permission-ccm"
    /** The AccessKey id is unknown or disabled. */
    | "key-unknown"
    /** The RAM user or role may not make the call. */
    | "permission"
    /** The AccessKey secret does not belong to the id. */
    | "key-secret"
    /** The temporary credentials have expired. */
    | "token-expired"
    /** The clock of this machine is off by more than 15 minutes. */
    | "clock"
    /** The TLS certificate of the API endpoint is not trusted. */
    | "certificate-untrusted"
    /** The API answers otherwise than documented. */
    | "unexpected-answer"
    /** The API endpoint cannot be reached. */
    | "unreachable"
    /** The cloud's API failed, and so did all retries. */
    | "service-unavailable"
    /** The account has overdue payments. */
    | "arrears"
    /** The account's balance is too low. */
    | "balance"
    /** The account has not passed real-name verification. */
    | "real-name"
    /** The account exceeded the request rate of the API, and so did all retries. */
    | "throttled"
    /** The server groups of a load balancer hold too many backends. */
    | "server-group-quota"
    /** A load balancer has too many backends. */
    | "backend-quota"
    /** A node is a backend of too many load balancers. */
    | "instances-per-server-quota"
    /** A shared-performance CLB takes no network interfaces. */
    | "eni-on-shared-instance"
    /** No pod of the Service can be a backend. */
    | "no-backend"
    /** A pod's address belongs to no network interface of the VPC. */
    | "eni-not-found"
    /** The cloud needs the number of a target port and was given its name. */
    | "target-port-name"
    /** A listener or a forwarding rule still uses the server group. */
    | "server-group-in-use"
    /** The server group was deleted outside this package. */
    | "server-group-gone"
    /** A backend is not a running server of the region. */
    | "backend-not-running"
    /** A backend is in another VPC than the load balancer. */
    | "backend-other-vpc"
    /** The server group of a Service port is missing. */
    | "vgroup-port"
    /** The load balancer in the Service's status does not exist. */
    | "load-balancer-lost"
    /** There is no load balancer with the id. */
    | "load-balancer-gone"
    /** A load balancer of the Cloud Controller Manager cannot be reused. */
    | "reuse-of-created"
    /** The Service already has another load balancer. */
    | "rebound"
    /** The address type of a load balancer is immutable. */
    | "address-type-fixed"
    /** The IP version of a load balancer is immutable. */
    | "address-ip-version-fixed"
    /** The resource group of a load balancer is immutable. */
    | "resource-group-fixed"
    /** The zones of a load balancer are immutable. */
    | "zone-fixed"
    /** The network type of a load balancer is immutable. */
    | "network-type-fixed"
    /** The static address of a load balancer is immutable. */
    | "address-fixed"
    /** PayByCLCU cannot become PayBySpec. */
    | "billing-fixed"
    /** Shared-performance instances are no longer sold. */
    | "shared-instance-discontinued"
    /** The load balancer is protected against deletion. */
    | "deletion-protected"
    /** The load balancer is protected against modification. */
    | "modification-protected"
    /** The account has too many load balancers in the region. */
    | "load-balancer-quota"
    /** The load balancer has too many tags. */
    | "tag-quota"
    /** The load balancer of the API server cannot be reused. */
    | "reuse-failed"
    /** A listener that is not the Service's has the port. */
    | "listener-port-taken"
    /** The load balancer has too many listeners. */
    | "listener-quota"
    /** There is no certificate with the id. */
    | "certificate-missing"
    /** The certificate has expired. */
    | "certificate-expired"
    /** A listener or a domain extension still uses the certificate. */
    | "certificate-in-use"
    /** There is no access control list with the id. */
    | "acl-missing"
    /** The listener was deleted outside this package. */
    | "listener-gone"
    /** The load balancer is in another VPC than the cluster. */
    | "other-vpc"
    /** The vSwitch has no free address. */
    | "vswitch-full"
    /** There is no vSwitch with the id. */
    | "vswitch-missing"
    /** kube-proxy bypassed the HTTPS listener inside the cluster. */
    | "tls-intercepted"
    /** The Service has no events. */
    | "no-events"
    /** The Service has no address yet. */
    | "pending"
    /** The Cloud Controller Manager could not sync the Service. */
    | "sync-failed";

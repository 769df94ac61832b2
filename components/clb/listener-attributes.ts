import type * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import type {
    ClbHealthCheck,
    Layer4,
    Layer7,
    ClbListener,
    StickySession,
    Tls,
} from "../../provider/model/clb/listener";

/** What a listener refers to; ids that may be known only after their resource was made. */
export interface ListenerReferences {
    /** Access control list, where access control is on. */
    readonly aclIds: readonly pulumi.Input<string>[];
    /** Certificate, in place of the one that the model names. */
    readonly certId: pulumi.Input<string> | undefined;
    /** Port of the HTTPS listener that this one redirects to. */
    readonly forwardPort: pulumi.Input<number> | undefined;
}

type Attributes = Omit<slb.ListenerArgs, "loadBalancerId" | "serverGroupId">;

/** Bandwidth of a listener: not limited beside the instance's. Source: SLB API, CreateLoadBalancerTCPListener. */
const UNLIMITED = -1;

/**
 * A listener in the words of the alicloud plugin.
 *
 * The plugin keeps the cloud's value of an optional attribute that a program leaves out, and has other defaults than the documents; so everything is written out.
 */
export function listenerAttributes(model: ClbListener, references: ListenerReferences): Attributes {
    return {
        frontendPort: model.port,
        protocol: model.protocol,
        description: model.description,
        scheduler: model.scheduler,
        // The cloud gives http listeners no bandwidth of their own.
        ...(model.protocol === "http" ? {} : { bandwidth: UNLIMITED }),
        ...accessAttributes(model, references),
        ...(model.protocol === "http" ? forwardAttributes(references) : {}),
        ...(model.layer4 === undefined ? {} : { ...layer4Attributes(model.layer4), ...healthCheckAttributes(model) }),
        ...(model.layer7 === undefined ? {} : { ...layer7Attributes(model.layer7), ...webCheckAttributes(model) }),
        ...(model.tls === undefined ? {} : tlsAttributes(model.tls, references)),
    };
}

function accessAttributes({ access }: ClbListener, { aclIds }: ListenerReferences): Attributes | object {
    return access.status === "off"
        ? { aclStatus: "off" }
        : { aclStatus: "on", aclType: access.type, aclIds: [...aclIds] };
}

/** Never a backend port: the plugin sends it under an empty name. */
function forwardAttributes({ forwardPort }: ListenerReferences): object {
    return forwardPort === undefined ? { listenerForward: "off" } : { listenerForward: "on", forwardPort };
}

function layer4Attributes(layer4: Layer4): object {
    return {
        proxyProtocolV2Enabled: layer4.proxyProtocol,
        ...(layer4.persistenceTimeout === undefined ? {} : { persistenceTimeout: layer4.persistenceTimeout }),
        ...(layer4.establishedTimeout === undefined ? {} : { establishedTimeout: layer4.establishedTimeout }),
    };
}

function layer7Attributes(layer7: Layer7): object {
    return {
        ...stickyAttributes(layer7.stickySession),
        idleTimeout: layer7.idleTimeout,
        requestTimeout: layer7.requestTimeout,
        // The plugin sets the three together.
        xForwardedFor: { retriveSlbProto: layer7.forwardedFor.protocol, retriveSlbIp: false, retriveSlbId: false },
    };
}

function stickyAttributes(session: StickySession): object {
    switch (session.kind) {
        case "off":
            return { stickySession: "off" };
        case "insert":
            return { stickySession: "on", stickySessionType: "insert", cookieTimeout: session.timeout };
        case "server":
            return { stickySession: "on", stickySessionType: "server", cookie: session.cookie };
    }
}

function tlsAttributes(tls: Tls, { certId }: ListenerReferences): object {
    return {
        serverCertificateId: certId ?? tls.certId,
        tlsCipherPolicy: tls.cipherPolicy,
        enableHttp2: tls.http2 ? "on" : "off",
    };
}

function webCheckAttributes(model: ClbListener): object {
    return model.healthCheck.enabled
        ? { healthCheck: "on", ...healthCheckAttributes(model), ...methodAttribute(model.healthCheck) }
        : { healthCheck: "off" };
}

/** Only for web listeners: for TCP ones the plugin does not send it. */
function methodAttribute(check: ClbHealthCheck): object {
    return check.method === undefined ? {} : { healthCheckMethod: check.method };
}

function healthCheckAttributes({ healthCheck, protocol }: ClbListener): object {
    return {
        healthCheckInterval: healthCheck.interval,
        healthCheckTimeout: healthCheck.timeout,
        healthyThreshold: healthCheck.healthyThreshold,
        unhealthyThreshold: healthCheck.unhealthyThreshold,
        ...(protocol === "tcp" ? { healthCheckType: healthCheck.type } : {}),
        ...(healthCheck.uri === undefined ? {} : { healthCheckUri: healthCheck.uri }),
        ...(healthCheck.httpCode === undefined ? {} : { healthCheckHttpCode: healthCheck.httpCode }),
    };
}

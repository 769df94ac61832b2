/** RAM role that is assumed before any call. */
export interface AssumeRole {
    /** For example `acs:ram::1234567890123456:role/load-balancers`. */
    readonly roleArn: string;
    /** Name of the session, as ActionTrail shows it. Default "ack-loadbalancer". */
    readonly sessionName?: string;
    /** External id that the role's trust policy asks for. Default none. */
    readonly externalId?: string;
    /** RAM policy, as JSON, that narrows the session's permissions. Default: those of the role. */
    readonly policy?: string;
}

/** Alibaba Cloud product whose OpenAPI this package calls, by the name that endpoint variables use. */
export type Product = "slb" | "nlb" | "vpc" | "ecs" | "tag" | "sts" | "quotas" | "cas";

/** Alibaba Cloud account and region, by reference: it never contains a key. */
export interface Account {
    /** Default: `alicloud:region`, else the environment's. */
    readonly region?: string;
    /** Profile of `~/.aliyun/config.json`. Default: the environment's key pair, else the standard credential chain. */
    readonly profile?: string;
    /** Default: none is assumed. */
    readonly assumeRole?: AssumeRole;
    /** Host, or host:port, by product. Default: the environment's, else the public endpoints. */
    readonly endpoints?: Readonly<Partial<Record<Product, string>>>;
}

/** Quotas of the account. Defaults are the published numbers, which `POST /_config` can change. */
export interface Quotas {
    /** CLB instances of the account (`slb_quota_instances_num`). */
    loadBalancers: number;
    /** Listeners of a CLB instance (`slb_quota_listeners_num`). */
    listenersPerLoadBalancer: number;
    /** Backend entries of a CLB instance, all groups summed (`slb_quota_backendservers_num`). */
    backendsPerLoadBalancer: number;
    /** CLB backends that a server may be (`slb_quota_backendserver_attached_num`). */
    attachmentsPerServer: number;
    /** Backends in a CLB call. */
    backendsPerCall: number;
    /** Extra domains of an HTTPS listener (`slb_quota_domain_extensions_num`). */
    domainExtensionsPerListener: number;
    /** ACLs of the account (`slb_quota_acls_num`). */
    acls: number;
    /** Entries of an ACL (`slb_quota_acl_entries_num`). */
    entriesPerAcl: number;
    aclEntriesPerCall: number;
    tagsPerResource: number;
    /** NLB instances of account and region. */
    nlbLoadBalancers: number;
    nlbListenersPerLoadBalancer: number;
    nlbServersPerGroup: number;
    /** NLB backends that a server may be. */
    nlbAttachmentsPerServer: number;
    /** Servers in an AddServersToServerGroup call. */
    nlbServersPerAdd: number;
    /** Servers in a remove or update call. */
    nlbServersPerChange: number;
    /** Server groups of a region. */
    nlbServerGroups: number;
    /** Extra certificates of an NLB listener. */
    nlbExtraCertificatesPerListener: number;
}

/** Time that the cloud takes, in milliseconds. All default to 0. */
export interface Delays {
    /** Answering any request. */
    request: number;
    /** A CLB instance until it is active. */
    loadBalancer: number;
    /** A CLB listener from start to running. */
    listenerStart: number;
    /** A CLB listener until it is stopped. */
    listenerStop: number;
    /** Time for which a vServer group refuses a further change (`VServerGroupProcessing`). */
    serverGroupBusy: number;
    /** Time for which a CLB listener refuses a further change (`ServiceIsConfiguring`). */
    listenerBusy: number;
    /** Duration of an NLB job, during which the object is in its intermediate status. */
    nlbJob: number;
    /** An NLB instance until it is Active. */
    nlbLoadBalancer: number;
    /** Time for which a changed NLB server group is locked (`Conflict.Lock`), at least the duration of the job. */
    nlbServerGroupLock: number;
}

/** Limit of `calls` in any `seconds` seconds. Further calls are answered `Throttling.User`. */
export interface RateLimit {
    readonly calls: number;
    readonly seconds: number;
}

/** State of the account that pays. */
export interface Account {
    /** Bills are overdue: nothing new can be bought. */
    inArrears: boolean;
    /** Balance in CNY. Below 100 nothing new can be bought. */
    balance: number;
}

/** Settings of a cloud. `POST /_config` merges into them. */
export interface Config {
    quotas: Quotas;
    delays: Delays;
    account: Account;
    /** Limits by action name, with `read` or `write` for all other actions of that kind. None by default. */
    rateLimits: Record<string, RateLimit>;
    /** Zones of the region, the default primary zone first, the default secondary zone second. */
    zones: string[];
    /** Seconds that a request's time may differ from ours. */
    clockSkewSeconds: number;
}

/**
 * Published request rates per action: CLB writes 90 a minute, CLB reads 3,000 a minute, NLB 200 a minute and 20 a
 * second.
 */
export const PUBLISHED_RATES: Record<string, RateLimit> = {
    "Slb.write": { calls: 90, seconds: 60 },
    "Slb.read": { calls: 3000, seconds: 60 },
    "Nlb.write": { calls: 200, seconds: 60 },
    "Nlb.read": { calls: 20, seconds: 1 },
};

/** A new copy of the default settings. */
export function defaultConfig(): Config {
    return {
        quotas: {
            loadBalancers: 30,
            listenersPerLoadBalancer: 50,
            backendsPerLoadBalancer: 200,
            attachmentsPerServer: 50,
            backendsPerCall: 20,
            domainExtensionsPerListener: 3,
            acls: 200,
            entriesPerAcl: 300,
            aclEntriesPerCall: 50,
            tagsPerResource: 20,
            nlbLoadBalancers: 60,
            nlbListenersPerLoadBalancer: 50,
            nlbServersPerGroup: 400,
            nlbAttachmentsPerServer: 200,
            nlbServersPerAdd: 200,
            nlbServersPerChange: 200,
            nlbServerGroups: 3000,
            nlbExtraCertificatesPerListener: 25,
        },
        delays: {
            request: 0,
            loadBalancer: 0,
            listenerStart: 0,
            listenerStop: 0,
            serverGroupBusy: 0,
            listenerBusy: 0,
            nlbJob: 0,
            nlbLoadBalancer: 0,
            nlbServerGroupLock: 0,
        },
        account: { inArrears: false, balance: 10_000 },
        rateLimits: {},
        zones: ["h", "g", "i", "a", "b", "c", "d", "e", "f", "j", "k"],
        clockSkewSeconds: 900,
    };
}

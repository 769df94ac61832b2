/** Settings that a configured plugin works with. */
export interface Settings {
    readonly accessKey: string;
    readonly secretKey: string;
    readonly securityToken: string;
    readonly region: string;
    /** Scheme of forms A and C. Form B is always https. */
    readonly protocol: "http" | "https";
    /** Domestic, International, or empty when it could not be found out. */
    accountType: string;
    /** Hosts by product in lower case, from the configuration. */
    readonly endpoints: Readonly<Record<string, string>>;
    readonly readTimeoutSeconds: number;
}

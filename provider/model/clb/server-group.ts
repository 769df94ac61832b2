import type { BackendIpVersion, BackendKind } from "../backend";

/** A server group of a Service: the backends behind one nodePort, or behind one targetPort when pods are attached directly. */
export interface ClbServerGroup {
    /** Stable key inside the Service: `tcp-80` (ecs: the Service port) or `target-8080` (eni: the targetPort). */
    readonly key: string;
    readonly kind: BackendKind;
    /** Service ports that this group serves; more than one only for eni, where ports of one targetPort share a group, as in CCM. */
    readonly ports: readonly { readonly port: number; readonly protocol: "TCP" | "UDP" }[];
    /** targetPort for eni; for ecs the nodePort where the manifest fixes it, else absent: the API server chooses it. */
    readonly backendPort?: number | string;
    /** Which addresses of pods are members; `dualstack` on an NLB only. Default: `ipv4`. */
    readonly ipVersion?: BackendIpVersion;
    /** Id of a user-managed group that the backends join; absent = a managed group. Annotation vgroup-port. */
    readonly joined?: string;
}

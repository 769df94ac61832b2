/** What the caller may do in the cluster. */

import { z } from "zod";
import type { Client } from "../../kubernetes/client";
import { attempt } from "./attempt";
import type { Check } from "./check";
import { defined } from "../../schema/defined";

const REVIEW = z.object({ status: z.looseObject({ allowed: z.boolean() }) });

/** What a run does in the cluster. */
const NEEDS: readonly {
    readonly verb: string;
    readonly group?: string;
    readonly resource: string;
    readonly subresource?: string;
}[] = [
    { verb: "get", resource: "services" },
    { verb: "list", resource: "services" },
    { verb: "create", resource: "services" },
    { verb: "patch", resource: "services" },
    { verb: "delete", resource: "services" },
    { verb: "patch", resource: "services", subresource: "status" },
    { verb: "list", resource: "nodes" },
    { verb: "list", resource: "pods" },
    { verb: "list", group: "discovery.k8s.io", resource: "endpointslices" },
    { verb: "get", resource: "namespaces" },
];

/** A check of each permission that a run needs. */
export const checkPermissions = (client: Client): Promise<Check[]> =>
    Promise.all(NEEDS.map((need) => permission(client, need)));

/** Asks the API server itself. Source: Kubernetes API, SelfSubjectAccessReview; it stores nothing. */
async function permission(
    client: Client,
    { verb, group = "", resource, subresource }: (typeof NEEDS)[number],
): Promise<Check> {
    const name = subresource === undefined ? resource : `${resource}/${subresource}`;
    return attempt(`may ${verb} ${name}`, async () => {
        const answer = await client.create(
            `ask whether ${verb} ${name} is allowed`,
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            {
                apiVersion: "authorization.k8s.io/v1",
                kind: "SelfSubjectAccessReview",
                spec: {
                    resourceAttributes: {
                        verb,
                        group,
                        resource,
                        ...defined({ subresource }),
                    },
                },
            },
        );
        const allowed = REVIEW.safeParse(answer).data?.status.allowed;
        return allowed === true
            ? { state: "ok", found: "yes" }
            : { state: "error", found: "no", remedy: `allow ${verb} on ${name} by a ClusterRole` };
    });
}

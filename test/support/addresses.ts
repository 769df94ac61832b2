import type { Session } from "../../lab";

interface Services {
    readonly items: readonly {
        readonly metadata: { readonly name: string };
        readonly status: {
            readonly loadBalancer: {
                readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
            };
        };
    }[];
}

/** Returns the Services of the default namespace by their names, with the addresses that their status shows. */
export async function addressesOfServices({ lab }: Session): Promise<Readonly<Record<string, readonly string[]>>> {
    const { items } = await lab.cluster.get<Services>("/api/v1/namespaces/default/services");
    return Object.fromEntries(
        items.map(({ metadata, status: { loadBalancer } }) => [
            metadata.name,
            (loadBalancer.ingress ?? []).map(({ ip, hostname }) => ip ?? hostname ?? ""),
        ]),
    );
}

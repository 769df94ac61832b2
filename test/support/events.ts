import type { Session } from "../../lab";

interface Events {
    readonly items: readonly {
        readonly involvedObject: { readonly name: string };
        readonly reason: string;
        readonly message: string;
    }[];
}

/** The events of Services in the cluster, sorted: `<name> <reason> <message>`. */
export async function eventsOfServices({ lab }: Session): Promise<string[]> {
    const events = "/api/v1/namespaces/default/events?fieldSelector=involvedObject.kind%3DService";
    const { items } = await lab.cluster.get<Events>(events);
    return items.map(({ involvedObject, reason, message }) => `${involvedObject.name} ${reason} ${message}`).sort();
}

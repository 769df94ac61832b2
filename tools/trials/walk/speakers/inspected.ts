/** The answers of `show` and `explain` after a run. */
import { describeExplanations } from "../../../../cli/explain/main";
import { examine } from "../../../../cli/explain/examine";
import type { Explanation } from "../../../../cli/explain/explanation";
import { openReader } from "../../../../cli/inspect/command";
import type { InspectedService } from "../../../../cli/inspect/model";
import { inspectService } from "../../../../cli/inspect/read";
import { describeService } from "../../../../cli/show/main";
import { listenersManaged } from "../../../../provider/service/annotations";
import { clusterOf, nameOf, type Version } from "../../service";

/** Reads Services as the commands do. */
export async function inspect(services: readonly Version[]): Promise<InspectedService[]> {
    const { networkPlugin, vpcId } = clusterOf(services[0]);
    const reader = openReader({
        cluster: {},
        account: {},
        format: "json",
        service: undefined,
        discovery: () => Promise.resolve({ networkPlugin, vpcId }),
    });
    const here = services.filter(({ away }) => away === undefined);
    const found = await Promise.all(here.map((one) => inspectService(reader, "default", nameOf(one))));
    return found.flatMap((one) => one ?? []);
}

/** Returns the findings of `explain` that a run is to mend, and what it cannot see. */
export const mendable = (live: InspectedService): Explanation[] =>
    examine(live).filter(
        (one) =>
            one.verdict === "not seen" ||
            one.drift === true ||
            (one.verdict === "broken" && !isLeft(one, live) && !OF_CLUSTER.test(one.what)),
    );

/** Findings in the cluster, which no run mends: pods that are absent, or on nodes that take no traffic. */
const OF_CLUSTER =
    /^no pod has the labels|^pods on node .* get no traffic|^server group .* has no backend: no node|^pod \S+ gets no traffic: its node|: no backend would be left/;

/** True for a listener that the user is to create, because the Service manages none on the instance that it reuses. */
const isLeft = ({ what }: Explanation, { service }: InspectedService): boolean =>
    what.startsWith("nothing listens on") && service !== undefined && !listenersManaged(service.settings);

/** Returns a line for whatever `show` and `explain` find wrong. After a run there is nothing. */
export function wrongIn(live: InspectedService): string[] {
    const { name } = live.object.metadata;
    const [shown, explained] = [describeService(live), describeExplanations(live)];
    const disagree =
        shown.code !== explained.code ? [`show ends with ${shown.code}, explain with ${explained.code}`] : [];
    const found = mendable(live).map(
        ({ verdict, what, evidence }) => `explain: ${what} (${verdict}): ${evidence.join("; ")}`,
    );
    return [...disagree, ...found].map((line) => `${name}: ${line}`);
}

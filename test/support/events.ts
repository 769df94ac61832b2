import { kubectl, type Session } from "../../lab";

/** The events of Services in the cluster, sorted: `<name> <reason> <message>`. */
export async function eventsOfServices({ lab }: Session): Promise<string[]> {
    const fields = "jsonpath={range .items[*]}{.involvedObject.name} {.reason} {.message}{'\\n'}{end}";
    const selector = "--field-selector=involvedObject.kind=Service";
    const events = await kubectl(lab.cluster, ["get", "events", selector, `--output=${fields}`]);
    return events.trim().split("\n").sort();
}

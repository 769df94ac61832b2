import { diagnose, formatIssues, parseService, readManifests } from "ack-loadbalancer/provider";

/** Ports of the Services of a manifest. @throws Error with every problem of it */
export function ports(manifest: string): number[] {
    const { services, issues } = readManifests(manifest, "service.yaml");
    const parsed = services.map((document) => parseService(document, { clusterId: "c-consumer" }));
    const problems = [...issues, ...parsed.flatMap((one) => one.issues)];
    if (problems.length > 0) throw new Error(formatIssues(problems));
    return parsed.flatMap(({ service }) => service?.ports ?? []).map(({ port }) => port);
}

/** What to do about an error of the cloud. */
export function remedyOf(message: string): string {
    return diagnose(message)?.remedy ?? "none is known";
}

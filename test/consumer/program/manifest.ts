import { diagnose, formatDiagnostics, parseService, readManifests } from "ack-loadbalancer/provider";

/** Ports of the Services of a manifest. @throws Error with every problem of it */
export function ports(manifest: string): number[] {
    const { services, diagnostics } = readManifests(manifest, "service.yaml");
    const parsed = services.map((document) => parseService(document, { clusterId: "c-consumer" }));
    const problems = [...diagnostics, ...parsed.flatMap((one) => one.diagnostics)];
    if (problems.length > 0) throw new Error(formatDiagnostics(problems));
    return parsed.flatMap(({ service }) => service?.ports ?? []).map(({ port }) => port);
}

export function remedyOf(message: string): string {
    return diagnose(message)?.remedy ?? "none is known";
}

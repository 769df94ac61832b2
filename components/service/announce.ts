import * as pulumi from "@pulumi/pulumi";
import type { GivenOutputs } from "./outputs";

/** Says in a preview, in one line, which fields it cannot know yet and what follows from that. */
export function announceUnknown(outputs: GivenOutputs, name: string, component: pulumi.Resource): void {
    if (outputs.none || !pulumi.runtime.isDryRun()) {
        return;
    }
    void outputs
        .unknownFields()
        .then((fields) =>
            fields.length === 0
                ? undefined
                : pulumi.log.info(
                      `Service ${name}: not known before pulumi up: ${fields.join(", ")}. Names, ownership marks and backends that follow from it are shown as unknown, and are computed and checked in the up; everything else is checked now.`,
                      component,
                  ),
        );
}

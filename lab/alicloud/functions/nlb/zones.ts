import { list, optional, output, text, texts } from "../../terraform/shorthand";
import type { FunctionType } from "../../types/type";
import { goText } from "../../types/values";
import { copied, finish, listAll } from "../common";

export const nlbZones: FunctionType = {
    token: "alicloud:nlb/getZones:getZones",
    schema: {
        ids: texts(output),
        output_file: text(optional),
        zones: list({ id: text(output), zone_id: text(output), local_name: text(output) }, output),
    },
    async read(data, client) {
        const { found } = await listAll(
            data,
            client,
            {
                product: "nlb",
                action: "DescribeZones",
                list: "$.Zones",
                source: "alicloud_nlb_zones",
                lines: [59, 65],
                once: true,
            },
            {},
        );
        finish(
            data,
            found.map((zone) => goText(zone["ZoneId"])),
            {
                zones: found.map((zone) => copied(zone, { id: "ZoneId", zone_id: "ZoneId", local_name: "LocalName" })),
            },
        );
    },
};

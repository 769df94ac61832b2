import type { Answer } from "../../sdk/tea";
import { flag, list, optional, output, text, texts } from "../../terraform/shorthand";
import { plainOneOf } from "../../terraform/validators";
import type { FunctionType } from "../../types/type";
import { listOf, objectOf, textOf } from "../../types/values";
import { finish, listingFailed, patientlyTyped } from "../common";

const source = "alicloud_slb_zones";

export const slbZones: FunctionType = {
    token: "alicloud:slb/getZones:getZones",
    schema: {
        available_slb_address_type: text({
            ...optional,
            validate: plainOneOf("vpc", "classic_intranet", "classic_internet", "Vpc"),
        }),
        available_slb_address_ip_version: text({ ...optional, validate: plainOneOf("ipv4", "ipv6") }),
        master_zone_id: text(optional),
        slave_zone_id: text(optional),
        output_file: text(optional),
        enable_details: flag({
            ...optional,
            default: false,
            deprecated: "The parameter enable_details has been deprecated from version v1.154.0+",
        }),
        ids: texts(output),
        zones: list(
            {
                id: text(output),
                master_zone_id: text(output),
                slave_zone_id: text(output),
                slb_slave_zone_ids: texts({
                    ...output,
                    deprecated:
                        "the attribute slb_slave_zone_ids has been deprecated from version 1.157.0 and use slave_zone_id instead.",
                }),
                supported_resources: list({ address_type: text(output), address_ip_version: text(output) }, output),
            },
            output,
        ),
    },
    async read(data, client) {
        const action = "DescribeAvailableResource";
        let answer: Answer;
        try {
            answer = await patientlyTyped(
                client,
                action,
                {
                    AddressIPVersion: data.text("available_slb_address_ip_version"),
                    AddressType: data.text("available_slb_address_type").toLowerCase(),
                },
                "slb",
            );
        } catch (error) {
            throw listingFailed(error, `data_source_${source}.go:125`, source, action);
        }
        const master = data.given("master_zone_id");
        const slave = data.given("slave_zone_id");
        const zones = listOf(objectOf(answer["AvailableResources"])["AvailableResource"]).filter(
            (zone) =>
                (master === undefined || master === textOf(zone["MasterZoneId"])) &&
                (slave === undefined || slave === textOf(zone["SlaveZoneId"])),
        );
        finish(
            data,
            zones.map((zone) => textOf(zone["MasterZoneId"])),
            {
                zones: zones.map((zone) => ({
                    id: textOf(zone["MasterZoneId"]),
                    master_zone_id: textOf(zone["MasterZoneId"]),
                    slave_zone_id: textOf(zone["SlaveZoneId"]),
                    slb_slave_zone_ids: [textOf(zone["SlaveZoneId"])],
                    supported_resources: listOf(objectOf(zone["SupportResources"])["SupportResource"]).map(
                        (resource) => ({
                            address_type: textOf(resource["AddressType"]),
                            address_ip_version: textOf(resource["AddressIPVersion"]),
                        }),
                    ),
                })),
            },
        );
    },
};

import type { SchemaMap } from "../../terraform/schema";
import { either, fixed, flag, map, optional, output, text, texts, whole } from "../../terraform/shorthand";
import { numberOf, oneOf } from "../../terraform/validators";
import { isp } from "../vpc/common";

const payments = ["Subscription", "PayAsYouGo", "PrePaid", "PostPaid"];

export const eipAddressSchema: SchemaMap = {
    activity_id: text(optional),
    address_name: text({ ...either, conflictsWith: ["name"] }),
    allocation_id: text(fixed(either)),
    auto_pay: flag(optional),
    bandwidth: text(either),
    create_time: text(output),
    deletion_protection: flag(either),
    description: text(either),
    high_definition_monitor_log_status: text({ ...fixed(either), validate: oneOf("OFF", "ON") }),
    internet_charge_type: text({ ...fixed(either), validate: oneOf("PayByBandwidth", "PayByTraffic") }),
    ip_address: text(fixed(either)),
    isp,
    log_project: text(optional),
    log_store: text(optional),
    mode: text({ ...either, validate: oneOf("NAT", "BINDED", "MULTI_BINDED") }),
    netmode: text({ ...fixed(either), validate: oneOf("public") }),
    payment_type: text({ ...fixed(either), conflictsWith: ["instance_charge_type"], validate: oneOf(...payments) }),
    period: whole({ ...optional, validate: numberOf(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 24, 36) }),
    pricing_cycle: text({ ...optional, validate: oneOf("Month", "Year") }),
    public_ip_address_pool_id: text(fixed(optional)),
    resource_group_id: text(either),
    security_protection_types: texts(fixed(optional)),
    status: text(output),
    tags: map(optional),
    zone: text(fixed(either)),
    name: text({
        ...either,
        deprecated:
            "Field 'name' has been deprecated since provider version 1.126.0. New field 'address_name' instead.",
    }),
    instance_charge_type: text({
        ...fixed(either),
        validate: oneOf(...payments),
        deprecated:
            "Field 'instance_charge_type' has been deprecated since provider version 1.126.0. New field 'payment_type' instead.",
    }),
};

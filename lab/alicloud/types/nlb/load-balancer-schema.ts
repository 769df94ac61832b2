import { hashText } from "../../terraform/hash";
import type { SchemaMap, Suppressor } from "../../terraform/schema";
import type { ValueMap } from "../../terraform/value";
import {
    either,
    fixed,
    flag,
    list,
    map,
    optional,
    output,
    required,
    set,
    text,
    textSet,
    whole,
} from "../../terraform/shorthand";
import { between, oneOf } from "../../terraform/validators";

const isDeletable: Suppressor = (_key, _before, _after, data) => !data.flag("deletion_protection_enabled");
const isModifiable: Suppressor = (_key, _before, _after, data) =>
    data.given("modification_protection_status") !== "ConsoleProtection";

export const loadBalancerSchema: SchemaMap = {
    address_ip_version: text(fixed(either)),
    address_type: text(required),
    bandwidth_package_id: text(fixed(either)),
    cps: whole({ ...optional, validate: between(0, 1000000) }),
    create_time: text(output),
    cross_zone_enabled: flag(either),
    deletion_protection_config: list(
        { enabled: flag(either), enabled_time: text(output), reason: text(either) },
        { ...either, maxItems: 1 },
    ),
    dns_name: text(output),
    ipv6_address_type: text(either),
    load_balancer_business_status: text(output),
    load_balancer_name: text(optional),
    load_balancer_type: text({ ...fixed(either), validate: oneOf("Network", "Gateway", "Inner") }),
    modification_protection_config: list(
        {
            status: text({ ...either, validate: oneOf("NonProtection", "ConsoleProtection") }),
            enabled_time: text(output),
            reason: text(optional),
        },
        { ...either, maxItems: 1 },
    ),
    payment_type: text({ ...fixed(either), validate: oneOf("Subscription", "PayAsYouGo") }),
    region_id: text(output),
    resource_group_id: text(either),
    security_group_ids: textSet(either),
    status: text(output),
    tags: map(optional),
    vpc_id: text(fixed(required)),
    // A zone remains the same zone whatever its address is.
    zone_mappings: set(
        {
            status: text(output),
            ipv6_local_addresses: textSet(either),
            zone_id: text(required),
            eni_id: text(output),
            ipv4_local_addresses: textSet(either),
            vswitch_id: text(required),
            allocation_id: text(either),
            public_ipv4_address: text(output),
            ipv6_address: text(either),
            private_ipv4_address: text(either),
        },
        { ...required, hash: (element) => hashText(String((element as ValueMap | null)?.["zone_id"] ?? "")) },
    ),
    deletion_protection_enabled: flag(either),
    deletion_protection_reason: text({ ...either, suppress: isDeletable }),
    modification_protection_status: text({ ...either, validate: oneOf("NonProtection", "ConsoleProtection") }),
    modification_protection_reason: text({ ...either, suppress: isModifiable }),
};

import type { Attributes, SchemaMap, Suppressor } from "../../terraform/schema";
import { either, fixed, flag, map, optional, text, whole } from "../../terraform/shorthand";
import { any, plainBetween, plainNumberOf, plainOneOf, plainOneOfAnyCase } from "../../terraform/validators";

const when =
    (name: string, value: string): Suppressor =>
    (_key, _before, _after, data) =>
        data.given(name) === value;
const forInternet = when("address_type", "internet");
const forIntranet = when("address_type", "intranet");

/** Only prepaid instances have a period. */
const isPostpaid: Suppressor = (_key, _before, _after, data) =>
    String(data.given("instance_charge_type") ?? "").toLowerCase() !== "prepaid" &&
    data.given("payment_type") !== "Subscription";

const hasOtherPayment = (data: Attributes): boolean => {
    const payment = data.given("payment_type");
    return payment !== undefined && payment !== "PayAsYouGo";
};

const specifications = [
    "slb.s1.small",
    "slb.s2.medium",
    "slb.s2.small",
    "slb.s3.large",
    "slb.s3.medium",
    "slb.s3.small",
    "slb.s4.large",
    "slb.lcu.elastic",
];

export const loadBalancerSchema: SchemaMap = {
    internet: flag({
        ...fixed(either),
        removed: "Field 'internet' has been removed from provider version 1.124. Use 'address_type' replaces it.",
    }),
    address: text({ ...fixed(either), suppress: forInternet }),
    address_ip_version: text({
        ...fixed(optional),
        default: "ipv4",
        validate: plainOneOf("ipv4", "ipv6"),
        suppress: forIntranet,
    }),
    address_type: text({ ...fixed(either), validate: plainOneOf("internet", "intranet") }),
    bandwidth: whole({
        ...optional,
        default: 1,
        validate: plainBetween(1, 5120),
        suppress: (_key, _before, _after, data) => data.text("internet_charge_type") === "PayByTraffic",
    }),
    delete_protection: text({
        ...optional,
        default: "off",
        validate: plainOneOf("off", "on"),
        suppress: when("payment_type", "Subscription"),
    }),
    internet_charge_type: text({
        ...optional,
        default: "PayByTraffic",
        validate: plainOneOfAnyCase("PayByBandwidth", "PayByTraffic"),
        suppress: forIntranet,
    }),
    load_balancer_name: text({ ...either, conflictsWith: ["name"] }),
    name: text({
        ...either,
        conflictsWith: ["load_balancer_name"],
        deprecated:
            "Field 'name' has been deprecated from provider version 1.123.1. New field 'load_balancer_name' instead",
    }),
    load_balancer_spec: text({
        ...either,
        conflictsWith: ["specification"],
        validate: plainOneOf(...specifications),
        suppress: when("instance_charge_type", "PayByCLCU"),
    }),
    specification: text({
        ...either,
        conflictsWith: ["load_balancer_spec"],
        validate: plainOneOf(...specifications),
        suppress: when("instance_charge_type", "PayByCLCU"),
        deprecated:
            "Field 'specification' has been deprecated from provider version 1.123.1. " +
            "New field 'load_balancer_spec' instead",
    }),
    master_zone_id: text(fixed(either)),
    modification_protection_reason: text({
        ...optional,
        suppress: when("modification_protection_status", "NonProtection"),
    }),
    modification_protection_status: text({ ...either, validate: plainOneOf("ConsoleProtection", "NonProtection") }),
    period: whole({ ...optional, validate: any(plainBetween(1, 9), plainNumberOf(12, 24, 36)), suppress: isPostpaid }),
    payment_type: text({ ...either, validate: plainOneOf("PayAsYouGo", "Subscription") }),
    instance_charge_type: text({
        ...either,
        validate: plainOneOf("PayBySpec", "PayByCLCU"),
        suppress: (_key, _before, _after, data) => hasOtherPayment(data),
    }),
    resource_group_id: text(fixed(either)),
    slave_zone_id: text(fixed(either)),
    status: text({ ...either, validate: plainOneOf("active", "inactive", "locked") }),
    tags: map(either),
    vswitch_id: text({ ...fixed(optional), suppress: forInternet }),
};

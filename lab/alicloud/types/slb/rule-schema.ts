import type { Attributes, SchemaMap, Suppressor } from "../../terraform/schema";
import { either, fixed, flag, optional, required, text, whole } from "../../terraform/shorthand";
import { any, partsOf, plainBetween, plainLengthBetween, plainNumberOf, plainOneOf } from "../../terraform/validators";

/** The rule has settings of its own, instead of those of its listener. */
const isOnItsOwn = (data: Attributes): boolean => data.given("listener_sync") === "off";
const isSticky = (data: Attributes): boolean => isOnItsOwn(data) && data.given("sticky_session") === "on";

const only =
    (counts: (data: Attributes) => boolean): Suppressor =>
    (_key, _before, _after, data) =>
        !counts(data);
const onItsOwn = only(isOnItsOwn);
const withStickySession = only(isSticky);
const withInsertedCookie = only((data) => isSticky(data) && data.given("sticky_session_type") === "insert");
const withServerCookie = only((data) => isSticky(data) && data.given("sticky_session_type") === "server");
const withHealthCheck = only((data) => isOnItsOwn(data) && data.given("health_check") === "on");

export const ruleSchema: SchemaMap = {
    load_balancer_id: text(fixed(required)),
    frontend_port: whole({ ...fixed(required), validate: plainBetween(1, 65535) }),
    name: text({ ...optional, default: "tf-slb-rule" }),
    listener_sync: text({ ...optional, default: "on", validate: plainOneOf("on", "off") }),
    scheduler: text({
        ...optional,
        default: "wrr",
        keepsDefault: true,
        validate: plainOneOf("wrr", "wlc", "rr"),
        suppress: onItsOwn,
    }),
    domain: text({ ...fixed(optional), atLeastOneOf: ["domain", "url"] }),
    url: text(fixed(optional)),
    server_group_id: text(required),
    cookie: text({ ...optional, validate: plainLengthBetween(1, 200), suppress: withServerCookie }),
    cookie_timeout: whole({ ...optional, validate: plainBetween(0, 86400), suppress: withInsertedCookie }),
    health_check: text({
        ...optional,
        default: "on",
        keepsDefault: true,
        validate: plainOneOf("on", "off"),
        suppress: onItsOwn,
    }),
    health_check_http_code: text({
        ...optional,
        default: "http_2xx",
        keepsDefault: true,
        validate: partsOf(",", "http_2xx", "http_3xx", "http_4xx", "http_5xx"),
        suppress: withHealthCheck,
    }),
    health_check_interval: whole({ ...optional, default: 2, validate: plainBetween(1, 50), suppress: withHealthCheck }),
    health_check_domain: text({ ...optional, validate: plainLengthBetween(1, 80), suppress: withHealthCheck }),
    health_check_uri: text({
        ...optional,
        default: "/",
        validate: plainLengthBetween(1, 80),
        suppress: withHealthCheck,
    }),
    health_check_connect_port: whole({
        ...either,
        validate: any(plainBetween(1, 65535), plainNumberOf(-520)),
        suppress: withHealthCheck,
    }),
    health_check_timeout: whole({ ...optional, default: 5, validate: plainBetween(1, 300), suppress: withHealthCheck }),
    healthy_threshold: whole({ ...optional, default: 3, validate: plainBetween(1, 10), suppress: withHealthCheck }),
    unhealthy_threshold: whole({ ...optional, default: 3, validate: plainBetween(1, 10), suppress: withHealthCheck }),
    sticky_session: text({
        ...optional,
        default: "off",
        keepsDefault: true,
        validate: plainOneOf("on", "off"),
        suppress: onItsOwn,
    }),
    sticky_session_type: text({ ...optional, validate: plainOneOf("insert", "server"), suppress: withStickySession }),
    delete_protection_validation: flag({ ...optional, default: false }),
};

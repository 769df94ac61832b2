import { defaultOf, keyOf, keyOfSetting, rowOf, rowsOf } from "../../annotations";
import { LOAD_BALANCER_NAMES, type LoadBalancerType, otherType } from "../../schema/load-balancer-type";
import type { SettingName } from "../../schema/settings";
import { alternativeOf } from "./alternatives";
import type { KindDifference, KindDifferenceKind, KindSubject } from "./difference";
import { meanings } from "./meanings";

/** Settings of which {@link meanings} says more than a value does. */
const EXPLAINED: ReadonlySet<SettingName> = new Set([
    "id",
    "vgroupPort",
    "certId",
    "type",
    "idleTimeout",
    "healthCheckFlag",
    "healthCheckConnectPort",
]);

/** Settings that have an effect on health checks by HTTP only. */
const HTTP_CHECKS: readonly SettingName[] = [
    "healthCheckUri",
    "healthCheckHttpcode",
    "healthCheckDomain",
    "healthCheckMethod",
];

/** Everything in which a Service on the other kind of load balancer differs from itself on its own, what must be changed first. */
export function compareKinds(service: KindSubject): KindDifference[] {
    const found = [...settingDifferences(service), ...defaultDifferences(service), ...meanings(service)];
    const order: readonly KindDifferenceKind[] = ["unsupported", "value", "required", "default", "meaning"];
    return found.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

/** Whether a difference has to be dealt with before the Service can have the other kind. */
export const needsChange = ({ kind }: KindDifference): boolean => ["unsupported", "value", "required"].includes(kind);

function settingDifferences({ loadBalancerType: from, settings }: KindSubject): KindDifference[] {
    const to = otherType(from);
    return rowsOf(from).flatMap((row): KindDifference[] => {
        const value = settings[row.field];
        if (value === undefined || row.field === "type") return [];
        const before = row.type.print(value) ?? "";
        const other = rowOf(row.field, to);
        if (other === undefined) {
            return [
                {
                    kind: "unsupported",
                    subject: keyOf(row),
                    before,
                    after: `${LOAD_BALANCER_NAMES[to]} does not have it`,
                    remedy: alternativeOf(row.field, to),
                },
            ];
        }
        const reading = other.type.parse(before, { allowMasked: true });
        return "value" in reading
            ? []
            : [{ kind: "value", subject: keyOf(row), before, after: reading.problem, remedy: reading.remedy }];
    });
}

function defaultDifferences({ loadBalancerType: from, settings, protocols }: KindSubject): KindDifference[] {
    const to = otherType(from);
    const skipped = settings.healthCheckType === "http" ? EXPLAINED : new Set([...EXPLAINED, ...HTTP_CHECKS]);
    return rowsOf(from).flatMap((row): KindDifference[] => {
        const other = rowOf(row.field, to);
        if (other === undefined || settings[row.field] !== undefined || skipped.has(row.field)) return [];
        const text = (type: LoadBalancerType): string => {
            const values = protocols.map((protocol) => defaultOf(row.field, {}, type, protocol));
            const shown = [
                ...new Set(values.map((one) => (one === undefined ? "-" : (row.type.print(one as never) ?? "-")))),
            ];
            return shown.join(", ");
        };
        const [before, after] = [text(from), text(to)];
        return before === after || before === "-" || after === "-"
            ? []
            : [
                  {
                      kind: "default" as const,
                      subject: keyOfSetting(row.field),
                      before,
                      after,
                      remedy: `set ${keyOfSetting(row.field)}: "${before}" if the former value matters`,
                  },
              ];
    });
}

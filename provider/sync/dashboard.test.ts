/** The dashboard and the page show what the controller measures, under the names that it has. */
import { beforeAll, expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { z } from "zod";
import { REPOSITORY } from "../../test/support/repository";
import { Metrics } from "./metrics";

const PREFIX = "ack_loadbalancer_sync_";

const TARGET = z.object({ refId: z.string().min(1), expr: z.string().min(1), legendFormat: z.string() });

const PANEL = z.object({
    id: z.int().positive(),
    type: z.enum(["timeseries", "stat"]),
    title: z.string().min(1),
    gridPos: z.object({ h: z.int().min(1), w: z.int().min(1).max(24), x: z.int().min(0), y: z.int().min(0) }),
    datasource: z.object({ type: z.literal("prometheus"), uid: z.literal("${datasource}") }),
    targets: z.array(TARGET).min(1),
});

/**
 * Fields of a dashboard that Grafana needs:
 * https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/
 */
const DASHBOARD = z.object({
    title: z.string().min(1),
    uid: z.string().min(1).max(40),
    schemaVersion: z.int().min(36),
    templating: z.object({ list: z.array(z.object({ name: z.literal("datasource"), type: z.literal("datasource") })) }),
    panels: z.array(PANEL).min(1),
});

const read = (file: string): string => readFileSync(path.join(REPOSITORY, "docs", file), "utf8");

/** Name and labels of everything that is measured, a histogram's by its series. */
const measured = new Map<string, readonly string[]>();
let names: string[];

beforeAll(async () => {
    for (const { name, type, values } of await labelled(new Metrics())) {
        const labels = values.flatMap((one) => Object.keys(one.labels));
        if (String(type) === "histogram")
            for (const suffix of ["_bucket", "_sum", "_count"])
                measured.set(name + suffix, suffix === "_bucket" ? ["le"] : []);
        else measured.set(name, labels);
    }
    names = [...new Set([...measured.keys()].map((name) => name.replace(/_(?:bucket|sum|count)$/, "")))];
});

/** The metrics once each of their labels has a value. */
function labelled(metrics: Metrics) {
    metrics.latency.observe(1);
    metrics.reconciliations.inc({ reason: "Synced" });
    metrics.calls.inc({ action: "ListServers", code: "Throttling" });
    metrics.throttled.inc({ action: "ListServers" });
    metrics.members.set({ state: "serving" }, 1);
    metrics.bindings.set({ synced: "True" }, 1);
    metrics.watchErrors.inc({ resource: "nodes" });
    return metrics.registry.getMetricsAsJSON();
}

test("the dashboard is one that Grafana takes, no panel twice or on top of another", () => {
    const { panels } = DASHBOARD.parse(JSON.parse(read("sync-dashboard.json")));
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
    for (const { gridPos, targets } of panels) {
        expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
        expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
});

test("the dashboard uses existing series and labels, and every figure of the controller", () => {
    const { panels } = DASHBOARD.parse(JSON.parse(read("sync-dashboard.json")));
    const shown = new Set<string>();
    for (const { expr, legendFormat } of panels.flatMap(({ targets }) => targets)) {
        const [series = ""] = expr.match(/ack_loadbalancer_sync_\w+/) ?? [];
        expect([...measured.keys()]).toContain(series);
        shown.add(series.replace(/_bucket$/, ""));
        const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
        // What Prometheus adds to each series itself is known too.
        for (const label of grouped) expect([...(measured.get(series) ?? []), "pod", "instance"]).toContain(label);
        const legend = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
        for (const label of legend) expect([...grouped, "pod"]).toContain(label);
    }
    expect([...shown].sort()).toStrictEqual([...names].sort());
});

test("the page names every figure", () => {
    const page = read("sync.md");
    const missing = names.filter((name) => !page.includes(name) && !page.includes(`\`_${name.slice(PREFIX.length)}\``));
    expect(missing).toStrictEqual([]);
});

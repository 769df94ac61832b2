import type { Clock } from "./clock";
import { callLegacy } from "./legacy";
import type { Product } from "./names";
import type { Settings } from "./settings";

/** By whose settings and clock a call is made. */
interface Connection {
    readonly settings: Settings;
    readonly clock: Clock;
}

/** Host that does not depend on the region. */
const fixed: Readonly<Record<string, string>> = { bssopenapi: "business.aliyuncs.com" };

/** Products that have a regional host when the location service knows none. */
const regional = new Set<Product>(["nlb", "vpc", "ecs"]);

/** Hosts found by asking, by region and product. */
const found = new Map<string, string>();

/**
 * Returns the host of a product: from the configuration, from the environment (`ALIBABA_CLOUD_ENDPOINT_<PRODUCT>`,
 * `<PRODUCT>_ENDPOINT`), a fixed host, or from the location service. STS is at its regional host unless the
 * configuration has another. It throws when slb has none.
 */
export async function endpointOf({ settings, clock }: Connection, product: Product): Promise<string> {
    const configured = settings.endpoints[product];
    if (configured !== undefined && configured !== "") return configured;
    if (product === "sts") return `sts.${settings.region}.aliyuncs.com`;
    const upper = product.toUpperCase();
    const environment =
        (process.env[`ALIBABA_CLOUD_ENDPOINT_${upper}`] ?? "").trim() ||
        (process.env[`${upper}_ENDPOINT`] ?? "").trim();
    if (environment !== "") return environment;
    if (fixed[product] !== undefined) return fixed[product];
    const key = `${settings.region}/${product}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    const host = await askLocation({ settings, clock }, product);
    found.set(key, host);
    return host;
}

async function askLocation({ settings, clock }: Connection, product: Product): Promise<string> {
    const location =
        settings.endpoints["location"] || process.env["LOCATION_ENDPOINT"]?.trim() || "location.aliyuncs.com";
    let reason = `There is no any available endpoint for ${product} in region ${settings.region}.`;
    try {
        const answer = await callLegacy(settings, clock, {
            form: "A",
            product: "location",
            endpoint: location,
            action: "DescribeEndpoints",
            parameters: { Id: settings.region, ServiceCode: product },
        });
        const body = JSON.parse(answer.body) as { Endpoints?: { Endpoint?: { Endpoint?: string }[] } };
        const host = body.Endpoints?.Endpoint?.[0]?.Endpoint;
        if (host !== undefined && host !== "") return host;
    } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
    }
    if (regional.has(product)) return `${product}.${settings.region}.aliyuncs.com`;
    throw new Error(
        `[ERROR] loading ${product} endpoint got an error: &errors.errorString{s:${JSON.stringify(reason)}}.`,
    );
}

import { newGoal, type RegisterEvent, type RegisterResult } from "../deploy";
import { isProviderType, packageOf, providerType, UNKNOWN_ID } from "../state";
import type { ValueMap } from "../value";

/** Which plugin a resource or function asks for. */
export interface ProviderRequest {
    pkg: string;
    version: string;
    url: string;
}

/** Registers default providers: one per package, version and source, when the first resource asks for it. */
export class DefaultProviders {
    private readonly known = new Map<string, Promise<string>>();

    /**
     * @param configOf provider configuration of a package, from the stack's settings
     * @param register hands a registration to the engine
     */
    constructor(
        private readonly configOf: (pkg: string) => ValueMap,
        private readonly register: (e: RegisterEvent) => void,
    ) {}

    /** Reference of the default provider. @throws Error if it could not be registered */
    reference(r: ProviderRequest): Promise<string> {
        const key = `${r.pkg}\n${r.version}\n${r.url}`;
        let p = this.known.get(key);
        if (!p) this.known.set(key, (p = this.create(r)));
        return p;
    }

    private async create(r: ProviderRequest): Promise<string> {
        let name = "default";
        if (r.version !== "") name += `_${r.version.replace(/\./g, "_")}`;
        if (r.url !== "") name += `_${r.url.replace(/[^a-zA-Z0-9]+/g, "_")}`;
        const properties = this.configOf(r.pkg);
        if (r.version !== "") properties["version"] = r.version;
        if (r.url !== "") properties["__internal"] = { pluginDownloadURL: r.url };
        const result = await new Promise<RegisterResult>((done) => {
            this.register({
                kind: "register",
                goal: newGoal({ type: providerType(r.pkg), name, custom: true, properties }),
                done,
            });
        });
        if (result.result !== "success") throw new Error(`the default provider of ${r.pkg} could not be registered`);
        return `${result.state.urn}::${result.state.id === "" ? UNKNOWN_ID : result.state.id}`;
    }
}

/** The request of a resource of the given type; provider resources need none. */
export function providerRequest(type: string, version: string, url: string): ProviderRequest | undefined {
    return isProviderType(type) ? undefined : { pkg: packageOf(type), version: version.replace(/^v/, ""), url };
}

/** The list of packages that must be given their providers, as a stack's settings have it. Source: Pulumi's options of configuration, `pulumi:disable-default-providers`. */
const DENIED = "disable-default-providers";

/**
 * Refuses the default provider of a package if the stack's settings forbid it.
 * @param settings configuration of the namespace `pulumi`
 * @throws Error if it is forbidden, or the setting is no list of names
 */
export function refuseDefault(pkg: string, type: string, settings: ValueMap): void {
    const text = settings[DENIED];
    if (text === undefined || text === "") return;
    const names = typeof text === "string" ? listOf(text) : undefined;
    if (names === undefined) throw new Error(`Unexpected encoding of pulumi:${DENIED}`);
    names.forEach((name, index) => {
        if (typeof name !== "string") throw new Error(`pulumi:${DENIED}[${index}] must be a string`);
        if (["*", pkg].includes(name.trim()))
            throw new Error(`Default provider for '${pkg}' disabled. '${type}' must use an explicit provider.`);
    });
}

function listOf(text: string): unknown[] | undefined {
    try {
        const value: unknown = JSON.parse(text);
        return Array.isArray(value) ? value : undefined;
    } catch {
        return undefined;
    }
}

/** Listener attributes that the alicloud plugin cannot say, set beside it: only the named ones are sent, so neither overwrites the other. */
import { createCloud, describeListener, setListener } from "../../cloud";
import { plain } from "./values";

/** Attributes that the API reports under another name than the one they are set by. Source: SLB API, DescribeLoadBalancerTCPListenerAttribute. */
const REPORTED_AS: Readonly<Record<string, string>> = { HealthCheckSwitch: "HealthCheck" };

/** Inputs of a listener's options. */
export interface ListenerOptionsInputs {
    readonly loadBalancerId: string;
    readonly port: number;
    readonly protocol: "tcp" | "udp" | "http" | "https";
    readonly options: Readonly<Record<string, string>>;
    readonly defaults: Readonly<Record<string, string>>;
    readonly region?: string;
}

/** Sets the attributes. */
export async function create(inputs: ListenerOptionsInputs): Promise<{ id: string; outs: ListenerOptionsInputs }> {
    await set(inputs, inputs.options);
    return { id: `${inputs.loadBalancerId}:${inputs.protocol}:${inputs.port}`, outs: plain(inputs) };
}

/** Sets the attributes that are asked for, and puts those that no longer are back to their defaults. */
export async function update(_id: string, olds: ListenerOptionsInputs, news: ListenerOptionsInputs): Promise<{ outs: ListenerOptionsInputs }> {
    const dropped = Object.keys(olds.options).filter((name) => !(name in news.options));
    await set(news, { ...news.options, ...defaultsOf(olds, dropped) });
    return { outs: plain(news) };
}

/** The attributes as they are; gone with their listener. */
export async function read(id: string, props: ListenerOptionsInputs): Promise<{ id?: string; props?: ListenerOptionsInputs; inputs?: ListenerOptionsInputs }> {
    const actual = await describeListener(connect(props), props.loadBalancerId, props.protocol, props.port);
    if (actual === undefined) {
        return {};
    }
    const options = Object.fromEntries(Object.keys(props.options).map((name) => [name, String(actual[name] ?? actual[REPORTED_AS[name] ?? ""] ?? props.defaults[name] ?? "")]));
    const found = plain({ ...props, options });
    return { id, props: found, inputs: found };
}

/** Puts the attributes back to their defaults, if the listener is still there. */
async function remove(_id: string, props: ListenerOptionsInputs): Promise<void> {
    if ((await describeListener(connect(props), props.loadBalancerId, props.protocol, props.port)) !== undefined) {
        await set(props, defaultsOf(props, Object.keys(props.options)));
    }
}
export { remove as delete };

function defaultsOf(inputs: ListenerOptionsInputs, names: readonly string[]): Record<string, string> {
    return Object.fromEntries(names.flatMap((name) => (inputs.defaults[name] === undefined ? [] : [[name, inputs.defaults[name]]])));
}

async function set(inputs: ListenerOptionsInputs, attributes: Readonly<Record<string, string>>): Promise<void> {
    if (Object.keys(attributes).length > 0) {
        await setListener(connect(inputs), inputs.loadBalancerId, inputs.protocol, inputs.port, attributes);
    }
}

function connect(inputs: ListenerOptionsInputs) {
    return createCloud(inputs.region === undefined ? {} : { region: inputs.region });
}

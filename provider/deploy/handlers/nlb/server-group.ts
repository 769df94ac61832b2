/**
 * Attributes of an NLB server group beside those that the alicloud plugin sets.
 *
 * The plugin takes no draining time below ten seconds, does not see that another than its own was set, and has no mode of IP version affinity.
 */
import { nlb } from "../../../alicloud";
import { plain } from "../values";
import { type AccountReference, openPlace } from "../place";

type Options = Readonly<Record<string, string>>;

/** Inputs of a group's options. */
export interface ServerGroupOptionsInputs {
    /** Id of the NLB server group. */
    readonly serverGroupId: string;
    /** Attributes in the names of the NLB API: `ConnectionDrainTimeout`, `IpVersionAffinityMode`. */
    readonly options: Options;
    readonly region?: string;
    readonly account?: AccountReference;
}

/** Sets what differs from what the plugin has set. */
export async function create(
    inputs: ServerGroupOptionsInputs,
): Promise<{ id: string; outs: ServerGroupOptionsInputs }> {
    await apply(inputs);
    return { id: inputs.serverGroupId, outs: plain(inputs) };
}

/** Sets what differs. What is no longer asked for is the plugin's again. */
export async function update(
    _id: string,
    _olds: ServerGroupOptionsInputs,
    news: ServerGroupOptionsInputs,
): Promise<{ outs: ServerGroupOptionsInputs }> {
    await apply(news);
    return { outs: plain(news) };
}

/** The options as they are; gone with their group. */
export async function read(
    id: string,
    props: ServerGroupOptionsInputs,
): Promise<{ id?: string; props?: ServerGroupOptionsInputs; inputs?: ServerGroupOptionsInputs }> {
    const actual = await describe(props);
    if (actual === undefined) {
        return {};
    }
    const found = plain({
        ...props,
        options: Object.fromEntries(Object.keys(props.options).map((name) => [name, actual[name] ?? ""])),
    });
    return { id, props: found, inputs: found };
}

async function apply(inputs: ServerGroupOptionsInputs): Promise<void> {
    const actual = await describe(inputs);
    if (actual === undefined) {
        throw new Error(
            `server group ${inputs.serverGroupId} does not exist, so it cannot be changed. Remedy: run pulumi up --refresh, which makes it again.`,
        );
    }
    if (Object.entries(inputs.options).some(([name, value]) => actual[name] !== value)) {
        await nlb.updateServerGroup(connect(inputs), inputs.serverGroupId, inputs.options);
    }
}

async function describe(inputs: ServerGroupOptionsInputs): Promise<Options | undefined> {
    const [group] = await nlb.findServerGroups(connect(inputs), { ids: [inputs.serverGroupId] });
    return (
        group && {
            ConnectionDrainTimeout: String(group.drainTimeout ?? ""),
            IpVersionAffinityMode: group.affinity ?? "",
        }
    );
}

function connect(inputs: ServerGroupOptionsInputs) {
    return openPlace(inputs);
}

/**
 * All further certificates of one NLB listener, as one resource.
 *
 * The alicloud plugin has one resource for each, waits five seconds for each, and does not wait for a listener that another one is changing.
 */
import { nlb } from "../../../alicloud";
import { plain } from "../values";
import { type AccountReference, openPlace } from "../place";

/** Inputs of a listener's further certificates. */
export interface AdditionalCertificatesInputs {
    /** Id of the NLB listener. */
    readonly listenerId: string;
    /** Ids of the certificates in addition to the listener's own. */
    readonly certificates: readonly string[];
    readonly region?: string;
    readonly account?: AccountReference;
}

/** Adds the certificates. Looks first: an interrupted run may have added them already. */
export async function create(
    inputs: AdditionalCertificatesInputs,
): Promise<{ id: string; outs: AdditionalCertificatesInputs }> {
    await apply(inputs);
    return { id: inputs.listenerId, outs: plain(inputs) };
}

/** Adds what is missing and takes off what is no longer named. */
export async function update(
    _id: string,
    _olds: AdditionalCertificatesInputs,
    news: AdditionalCertificatesInputs,
): Promise<{ outs: AdditionalCertificatesInputs }> {
    await apply(news);
    return { outs: plain(news) };
}

/** The certificates as they are; gone with their listener. */
export async function read(
    id: string,
    props: AdditionalCertificatesInputs,
): Promise<{ id?: string; props?: AdditionalCertificatesInputs; inputs?: AdditionalCertificatesInputs }> {
    const certificates = await nlb.listAdditionalCertificates(connect(props), props.listenerId);
    if (certificates === undefined) {
        return {};
    }
    const found = plain({ ...props, certificates: [...certificates].sort() });
    return { id, props: found, inputs: found };
}

/** Takes the certificates off, if the listener is still there. */
async function remove(_id: string, props: AdditionalCertificatesInputs): Promise<void> {
    await apply({ ...props, certificates: [] });
}
export { remove as delete };

/** Adds before it removes, so that no domain is without a certificate in between. */
async function apply(desired: AdditionalCertificatesInputs): Promise<void> {
    const cloud = connect(desired);
    const actual = (await nlb.listAdditionalCertificates(cloud, desired.listenerId)) ?? [];
    await nlb.addCertificates(
        cloud,
        desired.listenerId,
        desired.certificates.filter((id) => !actual.includes(id)),
    );
    await nlb.removeCertificates(
        cloud,
        desired.listenerId,
        actual.filter((id) => !desired.certificates.includes(id)),
    );
}

function connect(inputs: AdditionalCertificatesInputs) {
    return openPlace(inputs);
}

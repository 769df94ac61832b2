/**
 * All additional certificates of one NLB listener, as one resource.
 *
 * The alicloud plugin has a resource for each, waits five seconds for each, and does not wait for a busy listener.
 */
import * as nlb from "../../../nlb";
import { type Created, type Observed, observed, openPlace, type Place, plain, type Updated } from "../handler";

/** Inputs of a listener's additional certificates. */
export interface AdditionalCertificatesInputs extends Place {
    /** Id of the NLB listener. */
    readonly listenerId: string;
    /** Ids of the certificates in addition to the listener's own. */
    readonly certificates: readonly string[];
}

/** Adds the certificates. Reads first: an interrupted run may have added them already. */
export async function create(inputs: AdditionalCertificatesInputs): Promise<Created<AdditionalCertificatesInputs>> {
    await apply(inputs);
    return { id: inputs.listenerId, outs: plain(inputs) };
}

/** Adds and removes the difference to the observed certificates. */
export async function update(
    _id: string,
    _olds: AdditionalCertificatesInputs,
    news: AdditionalCertificatesInputs,
): Promise<Updated<AdditionalCertificatesInputs>> {
    await apply(news);
    return { outs: plain(news) };
}

/** Reads the certificates. */
export async function read(
    id: string,
    props: AdditionalCertificatesInputs,
): Promise<Observed<AdditionalCertificatesInputs>> {
    const certificates = await nlb.listAdditionalCertificates(openPlace(props), props.listenerId);
    return certificates === undefined ? {} : observed(id, { ...props, certificates: certificates.toSorted() });
}

/** Removes the certificates, if the listener exists. */
async function remove(_id: string, props: AdditionalCertificatesInputs): Promise<void> {
    await apply({ ...props, certificates: [] });
}
export { remove as delete };

/** Adds before it removes: no domain is without a certificate in between. */
async function apply(desired: AdditionalCertificatesInputs): Promise<void> {
    const { listenerId, certificates } = desired;
    const cloud = openPlace(desired);
    const actual = (await nlb.listAdditionalCertificates(cloud, listenerId)) ?? [];
    const added = certificates.filter((id) => !actual.includes(id));
    const removed = actual.filter((id) => !certificates.includes(id));
    await nlb.addCertificates(cloud, listenerId, added);
    await nlb.removeCertificates(cloud, listenerId, removed);
}

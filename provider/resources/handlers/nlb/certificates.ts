/**
 * All additional certificates of one NLB listener, as one resource.
 *
 * The alicloud plugin has a resource for each, waits five seconds for each, and does not wait for a busy listener.
 */
import * as nlb from "../../../nlb/api";
import { applying, type Delete, observed, openPlace, type Place, type ReadMethod } from "../handler";

export interface AdditionalCertificatesInputs extends Place {
    /** Id of the NLB listener. */
    readonly listenerId: string;
    /** Ids of the certificates in addition to the listener's own. */
    readonly certificates: readonly string[];
}

/** Adds and removes the difference to the observed certificates: an interrupted run may have added some. */
export const { create, update } = applying<AdditionalCertificatesInputs>(({ listenerId }) => listenerId, apply);

export const read: ReadMethod<AdditionalCertificatesInputs> = async (id, props) => {
    const certificates = await nlb.listAdditionalCertificates(openPlace(props), props.listenerId);
    return certificates === undefined ? {} : observed(id, { ...props, certificates: certificates.toSorted() });
};

/** Removes the certificates, if the listener exists. */
const remove: Delete<AdditionalCertificatesInputs> = async (_id, props) => {
    await apply({ ...props, certificates: [] });
};
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

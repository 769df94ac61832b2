/**
 * All additional certificates of an NLB listener, as one resource.
 *
 * The alicloud plugin has a resource for each, waits five seconds for each, and does not wait for a busy listener.
 */
import * as nlb from "../../../nlb";
import { applying, managing, openPlace, type Place } from "../handler";

interface AdditionalCertificatesInputs extends Place {
    readonly listenerId: string;
    /** Ids of the certificates in addition to the listener's own. */
    readonly certificates: readonly string[];
}

const { create, update, read, remove } = managing<AdditionalCertificatesInputs>({
    /** Adds and removes the difference to the observed certificates: an interrupted run may have added some. */
    ...applying(({ listenerId }) => listenerId, apply),
    read: async (props) => {
        const certificates = await nlb.listAdditionalCertificates(openPlace(props), props.listenerId);
        return certificates && { certificates: certificates.toSorted() };
    },
    delete: (props) => apply({ ...props, certificates: [] }),
});
export { create, update, read, remove as delete };

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

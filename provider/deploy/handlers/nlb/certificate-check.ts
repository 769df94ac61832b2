/**
 * A look at the certificates of an NLB's listeners before anything is made.
 *
 * The cloud refuses an unknown certificate only when the listener is made; the other listeners of the run then stand without it.
 */
import { getCertificate, siteOf } from "../../../alicloud";
import { type CheckResult, isUnknown } from "../values";
import { type AccountReference, openPlace } from "../place";
import { defined } from "../../../schema/defined";

/** Inputs of the check. */
export interface CertificateCheckInputs {
    /** `namespace/name`. */
    readonly service: string;
    /** Server certificates by listener, `tcpssl:443`. */
    readonly listeners: Readonly<Record<string, readonly string[]>>;
    readonly account?: AccountReference;
}

/** Looks at the certificates that were not used before. What cannot be asked is no problem. */
export async function check(
    olds: Partial<CertificateCheckInputs>,
    news: CertificateCheckInputs,
): Promise<CheckResult<CertificateCheckInputs>> {
    const known = new Set(Object.values(olds.listeners ?? {}).flat());
    const fresh = Object.entries(isUnknown(news.account) ? {} : news.listeners).flatMap(([listener, ids]) =>
        ids.filter((id) => !isUnknown(id) && !known.has(id)).map((id) => ({ listener, id })),
    );
    const problems = await Promise.all(fresh.map(({ listener, id }) => problemOf(news, listener, id)));
    return {
        inputs: news,
        failures: problems.flatMap((problem) =>
            problem === undefined ? [] : [{ property: "", reason: `Service ${news.service}: ${problem}` }],
        ),
    };
}

async function problemOf(
    { account }: CertificateCheckInputs,
    listener: string,
    id: string,
): Promise<string | undefined> {
    const place = { region: siteOf(id), ...defined({ account }) };
    const found = await getCertificate(openPlace(place), id);
    if (found.kind === "missing") {
        return `listener ${listener}: the Certificate Management Service has no certificate "${id}". Remedy: upload it there, or correct cert-id or additional-cert-ids; an NLB takes ids such as 12315790-cn-hangzhou, not those of CLB.`;
    }
    if (found.kind === "found" && found.expired) {
        return `listener ${listener}: certificate "${id}" has expired. Remedy: upload a new one to the Certificate Management Service and write its id into cert-id or additional-cert-ids.`;
    }
    return undefined;
}

/** Records what was looked at. */
export async function create(inputs: CertificateCheckInputs): Promise<{ id: string; outs: CertificateCheckInputs }> {
    return { id: inputs.service, outs: inputs };
}

/** Records what was looked at. */
export async function update(
    _id: string,
    _olds: CertificateCheckInputs,
    news: CertificateCheckInputs,
): Promise<{ outs: CertificateCheckInputs }> {
    return { outs: news };
}

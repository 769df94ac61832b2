/**
 * Labs for end-to-end tests: one for each worker, which its files use one after the other, each in the initial state.
 */
import { type LabPool, openLab, Session, type SessionOptions, startLab } from "../../lab";

/** How to get a lab. */
export interface LabChoice extends SessionOptions {
    /** For tests that break a lab, or need one more: it is started for them alone. Default false. */
    readonly isOwn?: boolean;
    /** Region of a lab of their own. Default `cn-hangzhou`. */
    readonly region?: string;
}

/** A session in a lab without nodes, whose cluster has this ACK id. Stopping the lab gives it back. */
export async function takeLab(clusterId: string, { isOwn = false, region, ...options }: LabChoice): Promise<Session> {
    const { labs } = globalThis as { labs?: LabPool };
    if (labs === undefined || isOwn || region !== undefined)
        return new Session(await startLab({ clusterId, ...(region === undefined ? {} : { region }) }), options);
    const pooled = await labs.take(clusterId);
    const lab = await openLab(pooled.place, async () => labs.give(pooled));
    return new Session(lab, options, () => pooled.cli());
}

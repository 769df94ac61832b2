/** Labs for end-to-end tests. Each worker has a lab, which its files use in turn, each in the initial state. */
import { type LabPool, openLab, Session, type SessionOptions, startLab } from "../../lab";

export interface LabChoice extends SessionOptions {
    /** Starts the lab for these tests alone, which break it or need another. Default false. */
    readonly isOwn?: boolean;
}

/** A session in a lab without nodes, whose cluster has this ACK id. Stopping the lab gives it back. */
export async function takeLab(clusterId: string, { isOwn = false, ...options }: LabChoice): Promise<Session> {
    const { labs } = globalThis as { labs?: LabPool };
    if (labs === undefined || isOwn) return new Session(await startLab({ clusterId }), options);
    const pooled = await labs.take(clusterId);
    const lab = await openLab(pooled.place, async () => labs.give(pooled));
    return new Session(lab, options, () => pooled.cli());
}

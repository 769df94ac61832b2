/**
 * API calls that the Cloud Controller Manager makes for the same operation on a managed NLB, without errors.
 *
 * As in `ccm.ts`, but each change is also a job whose status is read until it is done. One read is counted, since the
 * recorded jobs are done at once. Confirmed by `testdata/parity/nlb`.
 */
import { type Size } from "./ccm";

export { instanceAnnotation, resync } from "./ccm";

/** Servers per call of CCM. */
const BATCH = 40;

/**
 * Counts two searches, the creation and a read, and for each port a group, its servers in batches and a listener, each
 * with its job.
 */
export const create = ({ ports, members }: Size): number => 4 + ports * (4 + 2 * Math.ceil(members / BATCH));

/** Counts a resync, and a write with its job for each group. */
export const membership = ({ ports }: Size): number => 3 + 3 * ports;

/** The same with pods as backends: their network interfaces are looked up, a hundred addresses a call. */
export const podMembership = (size: Size): number => membership(size) + Math.ceil(size.members / 100);

/** Counts a resync that reads the listeners too, and a write for each listener, whose jobs are waited for together. */
export const listenerAnnotation = ({ ports }: Size): number => 5 + 2 * ports;

/**
 * Counts a resync that also reads the listeners, and a replacement: listener and server group are created, the group is
 * filled, and the former listener and group are deleted.
 */
export const protocolChange = ({ ports }: Size): number => 13 + ports;

/** Look-ups, the protection switched off, the delete and its job, and each group. */
export const remove = ({ ports }: Size): number => 8 + 3 * ports;

/**
 * API calls that the Cloud Controller Manager makes for the same operation on a managed CLB, without errors.
 *
 * The formulas follow CCM's reconcile loop: it reads instance, tags and groups before it changes anything, and each
 * group once more. `ports` are the Service's ports, `members` the backends of each group.
 */
export interface Size {
    readonly ports: number;
    readonly members: number;
}

/** Backends per call of CCM. */
const BATCH = 40;

/**
 * Counts two look-ups, the create and a read, and for each port a group, its backends in batches, a listener and its
 * start.
 */
export const create = ({ ports, members }: Size): number => 4 + ports * (3 + Math.ceil(members / BATCH));

/**
 * Instance, tags, the list of groups, and each group: the calls of every event that concerns the Service, even if
 * nothing changes.
 */
export const resync = ({ ports }: Size): number => 3 + ports;

/** Counts a resync, and a write for each group. */
export const membership = ({ ports }: Size): number => 3 + 2 * ports;

/** The same with pods as backends: their network interfaces are looked up, a hundred addresses a call. */
export const podMembership = (size: Size): number => membership(size) + Math.ceil(size.members / 100);

/** Counts a resync that reads the listeners too, and a write for each listener. */
export const listenerAnnotation = ({ ports }: Size): number => 4 + 2 * ports;

/** Counts a resync that reads the listeners too, and a write. */
export const instanceAnnotation = ({ ports }: Size): number => 5 + ports;

/** Counts a resync that reads the listeners too, and deletes, creates and starts the listener. */
export const protocolChange = ({ ports }: Size): number => 4 + ports + 3;

/** Look-ups, the protection switched off, the delete, and each group. */
export const remove = ({ ports }: Size): number => 6 + ports;

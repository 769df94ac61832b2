/**
 * Ends a process under a Node that is too old, with a line of text and before anything else is loaded: other modules
 * may use features that the old Node lacks. The commands, the policy pack and the launcher of the resource plugin load
 * this file first. It must use only the oldest JavaScript.
 */

/** Least version of Node. Source: `engines` of package.json. */
export const LEAST_NODE = [22, 19, 0];

export function isOlder(version: readonly number[], least: readonly number[]): boolean {
    const index = least.findIndex((part, at) => version[at] !== part);
    return index !== -1 && Number(version[index]) < Number(least[index]);
}

if (isOlder(process.versions.node.split(".").map(Number), LEAST_NODE)) {
    const least = LEAST_NODE.join(".");
    console.error(
        `error: this is Node ${process.versions.node}. Remedy: run ack-loadbalancer with Node ${least} or newer`,
    );
    process.exit(2);
}

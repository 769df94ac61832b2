/** Labels by which a node of an ACK Edge cluster is known to be at the edge. */

/** They say with "true" that a node is at the edge, and with "false" that it is in the cloud. Source: ACK Edge, "FAQ about edge nodes"; the second is that of OpenYurt. */
export const EDGE_LABELS = ["alibabacloud.com/is-edge-worker", "openyurt.io/is-edge-worker"] as const;

/** Carried by instances of Edge Node Service (ENS), with their id. */
export const ENS_LABEL = "alibabacloud.com/ens-instance-id";

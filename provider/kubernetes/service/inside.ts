/** How clients inside the cluster reach a Service whose nodes answer for the load balancer's address. */

/**
 * What to do where externalTrafficPolicy Local lets only nodes with a pod of the Service answer, the recommended way first.
 *
 * @param clusterName DNS name of the Service inside the cluster.
 * Source: "FAQ about Services", Connectivity issues; "Notes on service load balancing configuration", access from within the cluster.
 */
export const insideRemedy = (clusterName: string): string =>
    `let callers inside use ${clusterName}; or use externalTrafficPolicy Cluster, with which pods see a node's address instead of their caller's; or, with Terway, Cluster and backend-type "eni", which keeps that; or set hostname`;

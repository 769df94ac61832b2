/** Type tokens that rules match on. By token, so that no cloud SDK is loaded. */

/** The component that users write. */
export const SERVICE_TYPE = "ack-loadbalancer:index:ServiceLoadBalancer";

/** The resource that holds what was established and what is requested. */
export const CONTRACT_TYPE = "pulumi-nodejs:dynamic/ack-loadbalancer:ServiceContract";

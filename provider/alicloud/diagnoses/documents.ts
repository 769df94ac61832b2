/** Titles of the Alibaba Cloud documents that the tables refer to. */
export const FAQ =
    'Container Service for Kubernetes, "FAQ about Services", section "Service error messages and solutions"';
export const FAQ_REUSE = 'Container Service for Kubernetes, "FAQ about Services", section on reusing a load balancer';
export const FAQ_PERMISSIONS =
    'Container Service for Kubernetes, "FAQ about Services", section on permissions of ACK dedicated clusters';
export const ANNOTATIONS_DOCUMENT = 'Container Service for Kubernetes, "Configure CLB using annotations"';
export const CLB_API = "Classic Load Balancer, API reference 2014-05-15, error codes";
export const CLB_QUOTAS = 'Classic Load Balancer, "Limits and quotas"';
export const OPENAPI = 'Alibaba Cloud OpenAPI, "Request structure and signature"';
export const RAM = 'Resource Access Management, "Policy structure and syntax"';
export { CCM_SOURCE as CCM } from "../../schema/documents";

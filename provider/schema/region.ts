/**
 * A region's id, for example `cn-hangzhou`, in the one form that the cloud writes: it becomes a part of host names, to which calls are signed. Source: "Regions and zones".
 */
export const REGION = /^[a-z]{2,}(?:-[a-z0-9]+)+$/;

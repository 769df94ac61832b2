/** Region id, for example `cn-hangzhou`. It becomes part of host names. Source: "Regions and zones". */
export const REGION = /^[a-z]{2,}(?:-[a-z0-9]+)+$/;

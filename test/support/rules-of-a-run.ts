/** Rules about mistakes that a run refuses too. Others are a platform team's, which a run without the pack lacks. */
export const OF_A_RUN =
    /^(annotations-(?!undocumented-values)|lifecycle-(preserve|twice)$|reuse-port-claimed$|backends-node-port-twice$)/;

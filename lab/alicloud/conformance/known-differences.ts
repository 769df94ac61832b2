/** Cases in which the stand-in is meant to differ from the real plugin, with the reason. */
export const knownDifferences: ReadonlyMap<string, string> = new Map();

/**
 * Places at which the lab engine knowingly differs from the recordings, by case id, with the reason. What is listed here
 * is counted as "different" instead of "wrong"; anything else that differs in such a case is still wrong.
 */
export const KNOWN_DIFFERENCES: Readonly<Record<string, readonly { where: RegExp; reason: string }[]>> = {};

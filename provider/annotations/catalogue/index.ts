/** The catalogue: one row per annotation. */

import type { Row, Rows } from "../row";
import type { SettingName } from "../settings";
import { administration } from "./administration";
import { backend } from "./backend";
import { healthCheck } from "./health-check";
import { http } from "./http";
import { instance } from "./instance";
import { listener } from "./listener";

/** Every annotation with a typed setting, by the name of the setting. The type makes sure that none is forgotten. */
export const catalogue: Rows = { ...instance, ...administration, ...listener, ...http, ...healthCheck, ...backend };

/** The same as a list, in the order of the documentation. */
export const allRows: readonly Row[] = Object.values(catalogue) as readonly Row[];

/** The names of all settings. */
export const settingNames: readonly SettingName[] = allRows.map((row) => row.field);

export { external, type ExternalRow } from "./external";

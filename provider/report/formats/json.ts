/** A report for programs: {@link REPORT} as text. */

import { printableJson } from "../../diagnostics";
import { type Report } from "../model";

/** The report as JSON, by docs/report.schema.json. */
export const renderJson = (report: Report): string => printableJson(report);

/** Report on the effects of a preview on traffic, and its formats. Pure functions. */
export { buildReport, type ReportRequest } from "./build";
export { type Page, PAGE_FORMATS, type PageFormat, renderPage, type Section } from "./formats/page";
export { FORMATS, type Format, type RenderOptions, renderReport } from "./formats";
export { type Finding, type Report, REPORT, reportSchema, type SubjectReport, type Verdict, VERDICTS } from "./model";
export { type ResourceState, type Step, UNKNOWN } from "./step";
export { isAsSevere, VERDICT_WORDS } from "./verdict";

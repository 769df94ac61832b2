/** A violation as the CLI prints it: level, severity, name of the rule, and the resource that it is about. */
export const violation = (level: "advisory" | "mandatory", rule: string, resource = ""): RegExp =>
    new RegExp(`\\[${level}\\] \\[severity: (?:low|medium|high|critical)\\] +${rule} +\\(.*${resource}\\)`);

import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY } from "../../lab/environment";
import { KNOWN_DIFFERENCES } from "./differences";

/** The rendered page. */
export const DOCUMENT = path.join(REPOSITORY, "docs/ccm-differences.md");

/** The known differences as a page of the documentation. */
export function renderDifferences(): string {
    const entries = KNOWN_DIFFERENCES.map(({ title, reason }, index) => `${index + 1}. **${title}.** ${reason}`);
    return `# Differences from the Cloud Controller Manager

<!-- Written by \`make docs\` from tools/parity/differences. -->

\`make parity\` replays what the Cloud Controller Manager (CCM) did, case by case, through this package and compares the cloud afterwards. Whatever is different has to be explained by one
of these rules, or the case counts as wrong. Where CCM and the documents of Alibaba Cloud disagree, the documents win.

${entries.join("\n")}

Not compared: events, the labels and finalizers that CCM puts on Services, and which calls are made in which order.
`;
}

if (require.main === module) {
    fs.writeFileSync(DOCUMENT, renderDifferences());
}

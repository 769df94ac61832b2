import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY } from "../../lab/repository";
import { wrapMarkdown } from "../docs/wrap";
import { KNOWN_DIFFERENCES } from "./differences";

/** The rendered page. */
export const DOCUMENT = path.join(REPOSITORY, "docs/internal/ccm-differences.md");

/** The page of known differences. */
export function renderDifferences(): string {
    const entries = KNOWN_DIFFERENCES.map(({ title, reason }, index) => `${index + 1}. **${title}.** ${reason}`);
    return wrapMarkdown(`# Differences from the Cloud Controller Manager

<!-- Written by \`make docs\` from tools/parity/differences. -->

\`make parity\` replays recorded cases of the Cloud Controller Manager (CCM) through this package and compares the cloud afterwards. Each difference must follow from one
of these rules; otherwise the case is wrong. Where CCM and the documents of Alibaba Cloud disagree, this package follows the documents.

${entries.join("\n")}

Events, the labels and finalizers that CCM adds to Services, and the order of calls are not compared.
`);
}

if (require.main === module) fs.writeFileSync(DOCUMENT, renderDifferences());

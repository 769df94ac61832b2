/** Parts of pages in Markdown. */

export interface Line {
    /** From 1. */
    readonly line: number;
    readonly text: string;
}

/** Returns the lines that are no rows of tables, pictures, blocks of code or markup. */
export function proseOf(page: string): Line[] {
    let isCode = false;
    return page.split("\n").flatMap((text, index) => {
        const isFence = /^\s*```/.test(text);
        if (isFence) isCode = !isCode;
        return isFence || isCode || /^\s*(?:\||!\[|<)/.test(text) ? [] : [{ line: index + 1, text }];
    });
}

/** Returns the targets of links and pictures inside the repository. */
export function linksOf(page: string): string[] {
    const text = page.replaceAll(/```[^]*?```|`[^`\n]*`/g, "");
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link).filter((link) => !/^https?:/.test(link));
}

/** Returns the anchors of a page's headings, as forges make them. */
export function anchorsOf(page: string): Set<string> {
    const headings = [...page.replaceAll(/```[^]*?```/g, "").matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => text);
    return new Set(
        headings.map((text) =>
            text
                .toLowerCase()
                .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
                .replaceAll(" ", "-"),
        ),
    );
}

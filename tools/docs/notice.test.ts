import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { renderNotice } from "./notice";

test("NOTICE matches the lock file (node dist/tools/docs/notice.js); licenses permit any use", () => {
    const notice = renderNotice();
    expect(readFileSync("NOTICE", "utf8")).toBe(notice);
    expect(notice).not.toMatch(/GPL|MPL|EPL|SSPL|BUSL|NonCommercial/);
});

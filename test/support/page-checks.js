/* global document, getComputedStyle, innerWidth, NodeFilter, window */
/** What tests look at in a page. The browser runs this file as it is. */

/** Pairs of boxes or texts of a picture that overlap, texts that leave their box, and sections that overlap. */
function overlaps() {
    const found = [];
    const apart = (a, b) =>
        a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
    const compare = (what, elements) => {
        const boxes = elements.map((element) => element.getBoundingClientRect());
        boxes.forEach((a, i) =>
            boxes.slice(i + 1).forEach((b, j) => {
                if (apart(a, b)) return;
                found.push(`${what}: ${elements[i]?.textContent} and ${elements[i + 1 + j]?.textContent}`);
            }),
        );
    };
    for (const picture of document.querySelectorAll("svg")) {
        compare("boxes", [...picture.querySelectorAll("rect")]);
        compare("texts", [...picture.querySelectorAll("text")]);
        for (const text of picture.querySelectorAll("text")) {
            const [inner, outer] = [text, text.parentElement?.querySelector("rect")].map((one) =>
                one?.getBoundingClientRect(),
            );
            if (inner === undefined || outer === undefined) continue;
            if (
                inner.left < outer.left ||
                inner.right > outer.right ||
                inner.top < outer.top ||
                inner.bottom > outer.bottom
            )
                found.push(`text leaves its box: ${text.textContent}`);
        }
    }
    compare("sections", [...document.querySelectorAll("header,section,footer")]);
    return found;
}

/** Elements whose content is wider than they are and cannot be scrolled to, and a page that is wider than the screen. */
function cutOff() {
    const found = document.documentElement.scrollWidth > innerWidth + 1 ? ["the page is wider than the screen"] : [];
    for (const element of document.querySelectorAll("body *:not(svg, svg *, script)")) {
        const { overflowX, display } = getComputedStyle(element);
        if (display === "inline" || element.clientWidth === 0) continue;
        const scrolls = overflowX === "auto" || overflowX === "scroll";
        if (!scrolls && element.scrollWidth > element.clientWidth + 1)
            found.push(`${element.tagName} ${element.className}: ${element.textContent?.slice(0, 60)}`);
    }
    return found;
}

/** Contrast of every text, and of every line of a picture, with what is behind it, and the least that WCAG 2.2 AA asks for (1.4.3, 1.4.11). */
function contrasts() {
    const parse = (text) => (/rgba?\(([^)]+)\)/.exec(text)?.[1] ?? "").split(",").map(Number);
    const luminance = (color) => {
        const [r = 0, g = 0, b = 0] = color
            .slice(0, 3)
            .map((value) => value / 255)
            .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratioOf = (one, other) => {
        const [dark = 0, light = 0] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => a - b);
        return Math.round(((light + 0.05) / (dark + 0.05)) * 100) / 100;
    };
    const behind = (element) => {
        for (let at = element; at !== null; at = at.parentElement) {
            const { backgroundColor } = getComputedStyle(at);
            if ((parse(backgroundColor)[3] ?? 1) > 0) return backgroundColor;
        }
        return "rgb(255, 255, 255)";
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const element = node.parentElement;
        const text = node.textContent?.trim() ?? "";
        if (element === null || text === "" || element.closest("script,style,title,svg") !== null) continue;
        found.push({
            what: text.slice(0, 60),
            ratio: ratioOf(getComputedStyle(element).color, behind(element)),
            least: 4.5,
        });
    }
    for (const text of document.querySelectorAll("svg text")) {
        const box = text.parentElement?.querySelector("rect");
        if (box === null || box === undefined) continue;
        const what = text.textContent ?? "";
        found.push({ what, ratio: ratioOf(getComputedStyle(text).fill, getComputedStyle(box).fill), least: 4.5 });
    }
    for (const line of document.querySelectorAll("svg rect, svg path")) {
        const what = `${line.tagName} ${line.parentElement?.getAttribute("class") ?? line.getAttribute("class")}`;
        found.push({ what, ratio: ratioOf(getComputedStyle(line).stroke, behind(line)), least: 3 });
    }
    return found;
}

/** Every element that the keyboard must reach. */
const CONTROLS = "a[href],summary,.scroll";

/** What has the focus, and whether one sees that it has. */
function focused() {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { left, width, height } = element.getBoundingClientRect();
    return {
        tag: element.tagName.toLowerCase(),
        outline: `${outlineStyle} ${outlineWidth}`,
        shown: left >= 0 && width > 0 && height > 0,
        open: element.parentElement?.open,
    };
}

/** Opens or closes all details. */
function setDetails(open) {
    for (const details of document.querySelectorAll("details")) details.open = open;
}

/** Parts of details that are not seen. */
const folded = () =>
    [...document.querySelectorAll("details > :not(summary)")]
        .filter((part) => !part.checkVisibility())
        .map(({ outerHTML }) => outerHTML.slice(0, 80));

/** Pictures that are wider than the page. */
const wide = () =>
    [...document.querySelectorAll("svg")]
        .map((picture) => picture.getBoundingClientRect().right)
        .filter((right) => right > innerWidth);

/** Spoils the page in each way that the checks are there for. */
function spoil() {
    document.querySelector("svg text").setAttribute("y", "-400");
    for (const rect of document.querySelectorAll("svg rect")) rect.setAttribute("height", "400");
    document.querySelector("h1").setAttribute("style", "white-space:nowrap;width:30px;overflow:hidden");
    document.querySelector("p").setAttribute("style", "color:#bbb;background:#fff");
}

window.checks = {
    overlaps,
    cutOff,
    contrasts,
    focused,
    setDetails,
    folded,
    wide,
    spoil,
    controls: () => document.querySelectorAll(CONTROLS).length,
    background: () => getComputedStyle(document.body).backgroundColor,
    pictures: () => document.querySelectorAll("section svg").length,
    /** Milliseconds from the start of the navigation until everything is there. */
    took: () => window.performance.getEntriesByType("navigation")[0].loadEventEnd,
};

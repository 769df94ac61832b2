/** Report as a page that needs no network: for light, dark and print, by keyboard and with a screen reader. */

import { escapeXml, htmlCells, htmlList, htmlPage, htmlTable } from "../../command/page";
import type { FieldChange, Finding, GroupReport, Report, SubjectReport } from "../model";
import { count } from "../../command/output";
import * as words from "../sentences";
import { drawSubject, PICTURE_STYLE } from "./svg";

/** Backends of a group that have a row. */
const LISTED = 40;

/** Script that opens all details for print. */
const PRINT = 'addEventListener("beforeprint",()=>{for(const d of document.querySelectorAll("details"))d.open=true})';

/** Renders the report. Services without changes are listed by name. */
export function renderHtml(report: Report): string {
    const { loud, quiet } = words.divide(report);
    const findingsOf = words.printedFindings(report);
    const title = words.headline(report);
    const names = quiet.map(({ subject }) => `<li>${escapeXml(subject)}</li>`).join("");
    const body = [
        `\n<body><a class="skip" href="#services">Skip to the Services</a><header><h1>${escapeXml(title)}</h1>`,
        ...report.losses.map(
            ({ subject, address, cause, remedy }) =>
                `<p class="loss" role="alert"><strong>Public address released: ${escapeXml(address)}</strong> of ` +
                `${escapeXml(subject)}: ${escapeXml(cause)}.<br>Remedy: ${escapeXml(remedy)}.</p>`,
        ),
        ...words.caveats(report).map((text) => `<p>${escapeXml(text)}</p>`),
        '</header><main id="services" tabindex="-1">',
        loud.length === 0 ? "" : overview(loud),
        ...loud.map((subject, index) => section(subject, index, findingsOf(subject.subject))),
        ...words.otherSubjects(report).map((subject) => titled(subject, findingLists(findingsOf(subject)))),
        titled(words.quietTitle(report), names === "" ? "" : `<ul class="quiet">${names}</ul>`),
        titled("Findings that belong to no Service", findingLists(findingsOf())),
        `</main><footer><h2>Signs</h2>${legend()}</footer><script>${PRINT}</script></body>`,
    ];
    return htmlPage(title, body.join("\n"), PICTURE_STYLE);
}

const titled = (title: string, content: string): string =>
    content === "" ? "" : `<section><h2>${escapeXml(title)}</h2>${content}</section>`;

function overview(loud: readonly SubjectReport[]): string {
    const rows = loud.map((one, index) => {
        const [subject = "", ...cells] = words.overviewCells(one);
        const name = `<th scope="row"><a href="#s${index}">${escapeXml(subject)}</a></th>`;
        return `<tr>${name}${htmlCells(cells)}</tr>`;
    });
    return htmlTable(["Service", "Verdict", "Address", "Clients notice"], rows, "What changes, the gravest first");
}

function section(subject: SubjectReport, index: number, findings: words.PrintedFindings): string {
    const { groups, verdict } = subject;
    const name = escapeXml(subject.subject);
    const [notices, ...lists] = words
        .listsOf(subject)
        .map(([title, items]) => (items.length === 0 ? "" : `<h3>${title}</h3>${htmlList(items)}`));
    const parts = [
        notices,
        // A wide picture scrolls, which needs the focus of the keyboard.
        `<div class="scroll" tabindex="0" role="group" aria-label="Picture of ${name}">${drawSubject(subject)}</div>`,
        changes(subject),
        ...groups.map(groupTable),
        ...lists,
        findingLists(findings),
    ];
    const heading = `<h2>${name} <span class="verdict">${words.describeVerdict(subject)}</span></h2>`;
    return `<section id="s${index}" class="v-${verdict}">${heading}${parts.join("")}</section>`;
}

function changes({ loadBalancer, listeners, groups, others }: SubjectReport): string {
    const rowsOf = (object: string, fields: readonly FieldChange[]): string[] =>
        fields.map(({ field, before, after }) => {
            const cells = [field, before ?? "not set", after ?? "not set"].map((text) => words.shorten(text));
            return `<tr><th scope="row">${escapeXml(object)}</th>${htmlCells(cells)}</tr>`;
        });
    const rows = [
        ...rowsOf("load balancer", loadBalancer?.fields ?? []),
        ...listeners.flatMap((one) => rowsOf(`listener ${words.listenerText(one)}`, one.fields)),
        ...groups.flatMap(({ key, fields }) => rowsOf(`server group ${key}`, fields)),
        ...others.flatMap(({ noun, name, change, fields }) => {
            const whole = { field: words.CHANGE_WORDS[change].word, before: "", after: "" };
            return rowsOf(`${noun} ${name}`, fields.length === 0 ? [whole] : fields);
        }),
    ];
    if (rows.length === 0) return "";
    const table = htmlTable(["Object", "Attribute", "Before", "After"], rows);
    return details(`Attributes that change (${rows.length})`, table);
}

function groupTable(group: GroupReport): string {
    const { shown, folded } = words.foldBackends(group, LISTED);
    const changing = group.backends.filter(({ change }) => change !== "same").length;
    const backends = count(group.backends.length, "backend");
    const state =
        group.change === "same" && changing > 0
            ? `${changing} of ${backends} ${changing === 1 ? "changes" : "change"}`
            : `${words.CHANGE_WORDS[group.change].word}, ${backends}`;
    const summary = `${escapeXml(words.describeGroup(group))}: ${state}`;
    if (shown.length === 0) return `<p>${summary}</p>`;
    const rows = shown.map((one) => {
        const { change, before, after } = one;
        const shares = [words.arrow(before?.weight, after?.weight), words.arrow(before?.share, after?.share)];
        const head = `<th scope="row">${escapeXml(words.describeBackend(one))}</th>`;
        return `<tr class="${change}">${head}${htmlCells([words.CHANGE_WORDS[change].word, ...shares])}</tr>`;
    });
    if (folded.length > 0) rows.push(`<tr><td colspan="4">${escapeXml(words.describeFolded(folded))}</td></tr>`);
    return details(summary, htmlTable(["Backend", "Change", "Weight", "% of new connections"], rows));
}

const details = (summary: string, content: string): string =>
    `<details><summary>${summary}</summary>${content}</details>`;

const findingLists = ({ fresh, known }: words.PrintedFindings): string =>
    [
        fresh.length === 0 ? "" : `<h3>Findings</h3>${findingList(fresh)}`,
        known.length === 0 ? "" : details(words.knownTitle(known), findingList(known)),
    ].join("");

function findingList(all: readonly Finding[]): string {
    const items = all.map(({ severity, rule, message, remedy, position }) => {
        const where = position === null ? "" : `<code>${escapeXml(position)}</code> `;
        const name = rule === null ? "" : ` <code>${escapeXml(rule)}</code>`;
        const advice = remedy === null ? "" : `<br>Remedy: ${escapeXml(remedy)}`;
        const text = `${where}${escapeXml(message)}${advice}`;
        return `<li class="${severity}"><strong>${severity}</strong>${name}: ${text}</li>`;
    });
    return `<ul>${items.join("")}</ul>`;
}

function legend(): string {
    const items = Object.entries(words.CHANGE_WORDS).map(
        ([change, { sign, word }]) => `<li class="${change}">${escapeXml(`${sign.trim()} ${word}`)}</li>`,
    );
    return `<ul class="legend">${items.join("")}</ul>`;
}

/** A stretch of a text that a person does not see where the text is shown, or does not scroll to. */
export interface Zone {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** Comments, concealed text and what follows a page of white space. */
export function findZones(text: string): readonly Zone[] {
  const zones: Zone[] = [];
  between(text, "<!--", "-->", "a comment", zones);
  between(text, "[//]: #", "\n", "a comment", zones);
  between(text, "[comment]: ", "\n", "a comment", zones);
  between(text, "\\x1b[8m", "\\x1b[", "concealed text", zones);
  if (text.includes("<")) hiddenElements(text, zones);
  if (muchSpace.test(text)) pagesOfSpace(text, zones);
  return zones;
}

function between(text: string, open: string, close: string, kind: string, zones: Zone[]): void {
  let from = text.indexOf(open);
  while (from >= 0) {
    const found = text.indexOf(close, from + open.length);
    const end = found < 0 ? text.length : found;
    zones.push({ kind, start: from, end });
    if (found < 0) return;
    from = text.indexOf(open, found + close.length);
  }
}

/** Elements whose style or attributes keep them from being drawn. */
function hiddenElements(text: string, zones: Zone[]): void {
  const lower = text.toLowerCase();
  for (const sign of hidingSigns) {
    let from = lower.indexOf(sign);
    while (from >= 0) {
      const open = lower.lastIndexOf("<", from);
      const close = lower.indexOf(">", from);
      if (open >= 0 && close >= 0 && from - open < 400 && !lower.slice(open, from).includes(">")) {
        const end = lower.indexOf("</", close);
        zones.push({ kind: "an element that is not shown", start: close + 1, end: end < 0 ? text.length : end });
      }
      from = lower.indexOf(sign, from + sign.length);
    }
  }
}

const hidingSigns = [
  "display:none",
  "display: none",
  "visibility:hidden",
  "visibility: hidden",
  "font-size:0",
  "font-size: 0",
  "opacity:0",
  "opacity: 0",
  "color:white",
  "color: white",
  "color:#fff",
  "color: #fff",
  "aria-hidden",
];

const muchSpace = /[\t\n\r \u00a0\u3000]{20}/;

/** Twenty empty lines, or a hundred and twenty spaces in a row. */
function pagesOfSpace(text: string, zones: Zone[]): void {
  let run = 0;
  let lines = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : 0;
    if (code === 32 || code === 9 || code === 10 || code === 13 || code === 0xa0 || code === 0x3000) {
      run++;
      if (code === 10) lines++;
      continue;
    }
    // The cells of a table are padded.
    const isCell = code === 124 || text.charCodeAt(index - run - 1) === 124;
    if ((lines >= 20 || run - lines >= 120) && !isCell && index > 0 && index < text.length) {
      zones.push({ kind: "a page of white space", start: index, end: text.length });
      return;
    }
    run = 0;
    lines = 0;
  }
}

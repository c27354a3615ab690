/** What a canvas may do: be seen, with its own styles and images inside of it. */
export const canvasContentPolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

/** A whole document around HTML of `cleanHtml`. The policy comes first, so that it holds for everything after it. */
export function toCanvasDocument(title: string, html: string): string {
  const plain = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return [
    "<!doctype html>",
    '<html><head><meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="${canvasContentPolicy}">`,
    '<meta name="referrer" content="no-referrer">',
    `<title>${plain}</title></head>`,
    `<body>${html}</body></html>`,
  ].join("\n");
}

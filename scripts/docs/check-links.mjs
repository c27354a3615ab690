import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Relative links of a page that lead to nothing: `{ line, sentence }` each. Links inside code are left alone. */
export function checkLinks(root, page, markdown) {
  const findings = [];
  let inFence = false;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (/^\s*(```|~~~)/.test(line)) inFence = !inFence;
    if (inFence) continue;
    for (const link of readLinks(line)) {
      if (!existsSync(join(root, dirname(page), link))) findings.push({ line: index + 1, sentence: `The link ${link} leads to nothing.` });
    }
  }
  return findings;
}

/** "[a](../b.md#c) and [d](https://e)" → ["../b.md"] */
function readLinks(line) {
  const targets = [...line.replace(/`[^`]*`/g, "").matchAll(/\]\(\s*<?([^)>\s]+)>?[^)]*\)|^\s*\[[^\]]+\]:\s*(\S+)/g)].map(
    (match) => match[1] ?? match[2],
  );
  return targets
    .filter((target) => !/^([a-z][a-z+.-]*:|#|\/\/)/i.test(target))
    .map((target) => decodeURIComponent(target.replace(/[#?].*$/, "")));
}

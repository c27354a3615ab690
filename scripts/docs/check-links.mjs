import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Pages of packages are read outside of the repository, too, so they name its other files by this address. */
const repository = "https://github.com/toolrack/toolrack/blob/main/";

/** Links of a page to files of this repository that lead to nothing: `{ line, sentence }` each. Links inside code are left alone. */
export function checkLinks(root, page, markdown) {
  const findings = [];
  const own = /^packages\/[^/]+\//.exec(page)?.[0];
  let inFence = false;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (/^\s*(```|~~~)/.test(line)) inFence = !inFence;
    if (inFence) continue;
    for (const link of readLinks(line)) {
      const isWhole = link.startsWith(repository);
      const file = isWhole ? link.slice(repository.length) : join(dirname(page), link);
      if (!existsSync(join(root, file))) findings.push({ line: index + 1, sentence: `The link ${link} leads to nothing.` });
      else if (own !== undefined && !isWhole && !file.startsWith(own))
        findings.push({
          line: index + 1,
          sentence: `The link ${link} leads to nothing where the package is installed. Begin it with ${repository}`,
        });
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
    .filter((target) => target.startsWith(repository) || !/^([a-z][a-z+.-]*:|#|\/\/)/i.test(target))
    .map((target) => decodeURIComponent(target.replace(/[#?].*$/, "")));
}

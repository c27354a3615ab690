import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { placesOf } from "./headings.mjs";

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
    for (const { link, place } of readLinks(line)) {
      const isWhole = link.startsWith(repository);
      const file = isWhole ? link.slice(repository.length) : link === "" ? page : join(dirname(page), link);
      const sentence = sentenceAbout(root, { link, place, file, isAway: own !== undefined && !isWhole && !file.startsWith(own) });
      if (sentence !== undefined) findings.push({ line: index + 1, sentence });
    }
  }
  return findings;
}

function sentenceAbout(root, { link, place, file, isAway }) {
  if (!existsSync(join(root, file))) return `The link ${link} leads to nothing.`;
  if (isAway) return `The link ${link} leads to nothing where the package is installed. Begin it with ${repository}`;
  if (place === undefined || !file.endsWith(".md") || placesOf(join(root, file)).has(place)) return undefined;
  return `The link ${link}#${place} leads to nothing: ${file} has no such heading.`;
}

/** "[a](../b.md#c) and [d](https://e)" → [{ link: "../b.md", place: "c" }] */
function readLinks(line) {
  const targets = [...line.replace(/`[^`]*`/g, "").matchAll(/\]\(\s*<?([^)>\s]+)>?[^)]*\)|^\s*\[[^\]]+\]:\s*(\S+)/g)].map(
    (match) => match[1] ?? match[2],
  );
  return targets
    .filter((target) => target.startsWith(repository) || !/^([a-z][a-z+.-]*:|\/\/)/i.test(target))
    .map((target) => {
      const [, path, place] = /^([^#?]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(target);
      return { link: decodeURIComponent(path), place: place === undefined ? undefined : decodeURIComponent(place) };
    });
}

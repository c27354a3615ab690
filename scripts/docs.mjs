import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkBlocks } from "./docs/check-blocks.mjs";
import { checkLinks } from "./docs/check-links.mjs";
import { listFiles, root } from "./lib/files.mjs";
import { isMain } from "./lib/main.mjs";
import { orExit, ready } from "./ready.mjs";

/** Checks the Markdown of a repository, or brings it up to date; answers findings, each `{ path, line, sentence }`. */
export async function checkDocs(folder, { write = false, printed = new Map() } = {}) {
  const findings = [];
  for (const path of listFiles(folder).filter((file) => file.endsWith(".md") && !file.includes("/fixtures/"))) {
    let markdown = readFileSync(join(folder, path), "utf8");
    const add = (found) => findings.push(...found.map((finding) => ({ path, ...finding })));
    if (path === "README.md" || path.startsWith("docs/") || /^packages\/[^/]+\/README\.md$/.test(path)) {
      const checked = await checkBlocks(folder, markdown, { write, printed });
      add(checked.findings);
      if (checked.text !== markdown) writeFileSync(join(folder, path), checked.text);
      markdown = checked.text;
    }
    add(checkLinks(folder, path, markdown));
  }
  return findings;
}

if (isMain(import.meta.url)) {
  await orExit(() => ready());
  const findings = await checkDocs(root, { write: process.argv.includes("--write") });
  for (const { path, line, sentence } of findings) console.log(`${path}:${line}  ${sentence}`);
  if (findings.length > 0) process.exitCode = 1;
}

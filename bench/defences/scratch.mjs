import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { transformSync } from "rolldown/utils";
import { listFiles, listFolders, root } from "../../scripts/lib/files.mjs";

/**
 * A copy of the checkout in a temporary folder, in which source may be broken: `{ root, withBreaks(breaks, act), remove() }`.
 * What is installed is linked; packages of the workspace lead to the copy.
 */
export function createScratch() {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "toolrack-defences-")));
  for (const file of listFiles(root)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  linkInstalled(copy);
  return {
    root: copy,
    /** Contract: the files are as before when it resolves or rejects. */
    async withBreaks(breaks, act) {
      const before = new Map(breaks.map(({ file }) => [file, readFileSync(join(copy, file), "utf8")]));
      try {
        for (const { file, find, replace } of breaks)
          writeFileSync(join(copy, file), applyBreak(readFileSync(join(copy, file), "utf8"), find, replace, file));
        return await act();
      } finally {
        for (const [file, text] of before) writeFileSync(join(copy, file), text);
      }
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}

/** The text with the change made; throws when what is to be changed is not there exactly once, or when the outcome is no program. */
export function applyBreak(text, find, replace, file) {
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`${file} contains ${JSON.stringify(find)} ${parts.length - 1} times, and must contain it once.`);
  const broken = parts.join(replace);
  if (/\.[cm]?[jt]sx?$/.test(file)) {
    const { errors } = transformSync(file, broken);
    if (errors.length > 0) throw new Error(`${file} is no program after the change: ${errors[0].message}`);
  }
  return broken;
}

/** Every installed package is a link to the real one, but for those of the workspace. */
function linkInstalled(copy) {
  const installed = join(root, "node_modules");
  const packages = listFolders(join(copy, "packages")).map((folder) => ({
    folder: join(copy, "packages", folder),
    name: JSON.parse(readFileSync(join(copy, "packages", folder, "package.json"), "utf8")).name,
  }));
  const left = new Set([...packages.map(({ name }) => name), "@toolrack", ".vite", ".vite-temp", ".cache"]);
  mkdirSync(join(copy, "node_modules", "@toolrack"), { recursive: true });
  for (const name of readdirSync(installed)) if (!left.has(name)) symlinkSync(join(installed, name), join(copy, "node_modules", name));
  for (const { folder, name } of packages) symlinkSync(folder, join(copy, "node_modules", name));
}

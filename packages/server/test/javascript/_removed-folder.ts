// A process whose working folder was removed allows TypeScript: see allow-typescript.test.ts.
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allowTypeScript } from "../../src/javascript/allow-typescript.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-removed-"));
process.chdir(folder);
// Node remembers where it is.
const known = process.cwd();
rmdirSync(folder);
const answers: string[] = [];
for (let times = 0; times < 2; times++) {
  try {
    allowTypeScript();
    answers.push("allowed");
  } catch (error) {
    answers.push((error as Error).message.replace(known, "FOLDER"));
  }
  process.chdir(times === 0 ? folder.slice(0, folder.lastIndexOf("/")) : "/");
}
process.stdout.write(`${JSON.stringify(answers)}\n`);

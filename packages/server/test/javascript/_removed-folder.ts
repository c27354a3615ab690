// A process whose working folder was removed allows TypeScript: see allow-typescript.test.ts.
import { mkdirSync, mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allowTypeScript } from "../../src/javascript/allow-typescript.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-removed-"));
process.chdir(folder);
// Node remembers where it is.
const known = process.cwd();
rmdirSync(folder);
const answers: string[] = [];
for (let times = 0; times < 3; times++) {
  try {
    allowTypeScript();
    answers.push("allowed");
  } catch (error) {
    answers.push((error as Error).message.replace(known, "FOLDER"));
  }
  // Another folder of the same name is not the one that it is in.
  if (times === 0) mkdirSync(folder);
  else process.chdir("/");
}
rmdirSync(folder);
process.stdout.write(`${JSON.stringify(answers)}\n`);

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** What the compiler says of each mistake, by its title: one program for all of them. A mistake that it does not see is not in the map. */
export async function compileMistakes(folder: string, subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const errors = await compile(folder);
  for (const subject of subjects) {
    const lines = readFileSync(join(folder, "cases", `${subject}.ts`), "utf8").split("\n");
    const titles = lines.flatMap((line, index) => {
      const title = /title: (["'])(.*?)\1,/.exec(line)?.[2];
      return title === undefined ? [] : { title: title.replaceAll('\\"', '"'), line: index + 1 };
    });
    for (const { line, message } of errors.filter((error) => error.subject === subject)) {
      const title = titles.findLast((one) => one.line <= line)?.title;
      if (title === undefined)
        throw new Error(`cases/${subject}.ts, line ${line}, is outside of every mistake, and has an error: ${message}`);
      if (!found.has(title)) found.set(title, message);
    }
  }
  return found;
}

interface CompileError {
  readonly subject: string;
  readonly line: number;
  readonly message: string;
}

async function compile(folder: string): Promise<readonly CompileError[]> {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, "-p", folder, "--pretty", "false"], { maxBuffer: 1e8 }, (_error, stdout) => resolve(stdout));
  });
  const strange = output.split("\n").find((line) => /error TS/.test(line) && !/cases\/\w+\.ts\(/.test(line));
  if (strange !== undefined) throw new Error(`The mistakes cannot be compiled: ${strange}`);
  return [...output.matchAll(/cases\/(\w+)\.ts\((\d+),\d+\): error TS\d+: (.*(?:\n {2,}.*)*)/g)].map(([, subject, line, message]) => ({
    subject: subject!,
    line: Number(line),
    message: sentenceOf(message!),
  }));
}

/** The most precise part of a message: of nested ones the last. */
function sentenceOf(message: string): string {
  const lines = message.split("\n").map((line) => line.trim());
  return lines.find((line) => /does not exist|Did you mean/.test(line)) ?? lines.at(-1)!;
}

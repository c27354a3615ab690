import type { RunOptions } from "./_run.ts";
import { runScripted, type Script } from "./_scripted.ts";

/**
 * All that a command does, as one text: what it asks the server for, what it prints, on which stream, its exit code; and the document that it
 * prints with --json, unless that is an answer of the server as it came. Colours with a meaning are marked: ‹+good›, ‹-bad›, ‹?warning›.
 */
export async function told(words: readonly string[], script: Script, options: Partial<RunOptions> = {}): Promise<string> {
  const coloured = { ...options, environment: { ...options.environment, FORCE_COLOR: "1" } };
  const { asked, output, errors, code } = await runScripted(words, script, coloured);
  const inJson = await runScripted(withJson(words), script, options);
  const isAnswer = Object.values(script).some((answer) => JSON.stringify(answer) === compact(inJson.output));
  return [
    ...asked.map((line) => `> ${line}`),
    ...linesOf(marked(output)),
    ...linesOf(marked(errors)).map((line) => `! ${line}`),
    ...(code === 0 ? [] : [`exit ${code}`]),
    isAnswer ? "json: the answer" : `json: ${compact(inJson.output)}`,
    ...(inJson.code === code ? [] : [`json exit ${inJson.code}`]),
    ...(`${inJson.asked}` === `${asked}` ? [] : inJson.asked.map((line) => `json> ${line}`)),
  ].join("\n");
}

function marked(text: string): string {
  return text.split("\u001b[").reduce((marks, part) => {
    const [, code = "", rest = ""] = /^(\d+)m(.*)$/s.exec(part) ?? [];
    return `${marks}${signs.get(code) ?? ""}${rest}`;
  });
}

const signs: ReadonlyMap<string, string> = new Map([
  ["31", "‹-"],
  ["32", "‹+"],
  ["33", "‹?"],
  ["39", "›"],
]);

/** The same for several command lines, one below the other. */
export async function toldOfEach(
  lines: readonly (readonly string[])[],
  script: Script,
  options: Partial<RunOptions> = {},
): Promise<string> {
  const texts: string[] = [];
  for (const words of lines) texts.push(`$ toolrack ${words.join(" ")}\n${await told(words, script, options)}`);
  return texts.join("\n\n");
}

function withJson(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  return end < 0 ? [...words, "--json"] : [...words.slice(0, end), "--json", ...words.slice(end)];
}

const linesOf = (text: string): readonly string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

function compact(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}

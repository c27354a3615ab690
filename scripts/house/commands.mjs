import { lineAt } from "./read.mjs";

/** Where a command that a person copies begins inside a text: "toolrack call …", "npx toolrack …", "${program} keys create …". */
const commandStart = /(?:\btoolrack|\$\{program\}) (?=[a-z-]|\$\{)/g;

/** What ends it: the end of the text or of its line, of a sentence, or of a part in quotes. */
const commandEnd = /^(?:`|"|\n|\\n|\\`|\. [A-Z]|; |, (?:then|and) )/;

/** Parts of a command that are quoted where they are made, or words of our own lists. */
const ownWords = new Set(["program", "family", "client", "client.id", "flags", "call"]);

/** Not shown commands: the scripts that complete commands have rules of their own, and the other is a text that is hashed. */
const exceptions = new Set(["packages/cli/src/commands/completion.ts", "packages/store/src/secrets/audit-key.ts"]);

/** A command in a message names a tool, a source, an agent, a secret or a file as one word of a shell, whatever its letters. */
export function findUnquotedWords(files) {
  return files
    .filter(({ path }) => /^packages\/[^/]+\/src\/.+\.tsx?$/.test(path) && !exceptions.has(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(commandStart)].flatMap(({ index, 0: start }) =>
        unquotedIn(text, index + start.length).map(({ at, expression }) => ({
          path,
          line: lineAt(text, at),
          sentence: `A shown command holds \${${expression}} as it is. Write \${shellWord(${expression})}, so that it stays one word in a shell.`,
        })),
      ),
    );
}

function unquotedIn(text, from) {
  const found = [];
  for (let at = from; at < text.length && !commandEnd.test(text.slice(at, at + 8));) {
    if (!text.startsWith("${", at)) {
      at += 1;
      continue;
    }
    const end = closingBrace(text, at + 2);
    const expression = text.slice(at + 2, end);
    if (!isOneWord(expression)) found.push({ at, expression });
    at = end + 1;
  }
  return found;
}

function isOneWord(expression) {
  if (/^(?:shellWord\(|secret:)/.test(expression) || ownWords.has(expression)) return true;
  // A choice between parts: what the parts hold is looked at, one by one.
  if (!expression.includes(" ? ")) return false;
  const inner = [...expression.matchAll(/\$\{/g)].map(({ index }) => expression.slice(index + 2, closingBrace(expression, index + 2)));
  return inner.every(isOneWord);
}

function closingBrace(text, from) {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import type { ToolScanRule } from "../rule.ts";
import { openingLength } from "../subject.ts";
import { plainText } from "../text/fold.ts";

export const annotations: ToolScanRule = {
  id: "annotations",
  finds: "Annotations that contradict the words: readOnlyHint on a tool that deletes, pays or runs commands.",
  fix: "Set the annotations to what the tool does. Until then, ask for approval of its calls.",
  checkTool({ tool, name, texts }, report) {
    for (const [path, hints] of hintsOf(tool)) {
      if (hints["readOnlyHint"] !== true && hints["destructiveHint"] !== false) continue;
      const described = texts.find(({ role }) => role === "description");
      const glance = `${name} ${described?.raw.slice(0, openingLength) ?? ""}`;
      if (plainText.test(glance) && !mayChange.test(glance)) continue;
      const description = described?.opening;
      const nameWords = texts.find(({ role }) => role === "name")?.parts[0]?.sentences[0]?.words ?? [];
      const first = description?.words.slice(0, 2) ?? [];
      const deed =
        nameWords.find((word, index) => index < 2 && changing.has(word)) ??
        [...first, ...secondDeeds(description?.words ?? [])].find((word) => changing.has(stemOf(word)));
      if (deed === undefined) continue;
      // A query is run, too.
      if (
        (stemOf(deed) === "run" || stemOf(deed) === "execute") &&
        !/\b(?:shell|command|commands|script|code|program)\b/.test(`${nameWords.join(" ")} ${description?.phrase ?? ""}`)
      )
        continue;
      const reads = nameWords.some((word) => reading.has(word)) || first.some((word) => reading.has(stemOf(word)));
      if (hints["readOnlyHint"] === true && !reads)
        report(
          "warning",
          path,
          `"${name}" is marked as read-only, and its words say that it does something ("${deed}").`,
          JSON.stringify(hints),
        );
      else if (hints["destructiveHint"] === false && destroying.has(stemOf(deed)) && !reads)
        report("info", path, `"${name}" is marked as not destructive, and its words say otherwise ("${deed}").`, JSON.stringify(hints));
    }
  },
};

function hintsOf(tool: JsonObject): readonly (readonly [string, JsonObject])[] {
  const found: (readonly [string, JsonObject])[] = [];
  if (isObject(tool["annotations"])) found.push(["/annotations", tool["annotations"]]);
  const { metadata } = tool;
  if (isObject(metadata) && isObject(metadata["annotations"])) found.push(["/metadata/annotations", metadata["annotations"]]);
  return found;
}

/** "…; messages are lost", "and deletes their tokens" */
function secondDeeds(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => (words[index - 1] === "and" ? [word] : []));
}

function stemOf(word: string): string {
  if (changing.has(word) || reading.has(word)) return word;
  for (const form of [
    word.replace(/ies$/, "y"),
    word.replace(/es$/, ""),
    word.replace(/s$/, ""),
    word.replace(/(?:e?d|ing)$/, ""),
    word.replace(/(?:d|ing)$/, "e"),
  ])
    if (changing.has(form) || reading.has(form)) return form;
  return word;
}

const destroying = new Set(
  "delete remove wipe purge erase destroy drop revoke empty truncate uninstall terminate kill clear format overwrite".split(" "),
);
const changing = new Set([
  ...destroying,
  ..."transfer pay send execute run create update write insert upload publish deploy post modify edit rename merge push commit grant install charge refund buy sell wire invite approve".split(
    " ",
  ),
]);
/** One of these is in every word that changes something, whatever its form: most tools that only read have none. */
const mayChange = new RegExp([...changing].map((verb) => verb.replace(/[ey]$/, "")).join("|"), "i");
const reading = new Set(
  "get list read search find fetch query show view describe check count preview validate verify lookup retrieve analyze analyse compare inspect explain dry simulate estimate".split(
    " ",
  ),
);

import type { ToolScanRule } from "../rule.ts";
import type { ScannedText } from "../subject.ts";
import { foldText } from "../text/fold.ts";

export const collectingParameters: ToolScanRule = {
  id: "collecting-parameters",
  finds: "Parameters that exist to collect the conversation, credentials or files of the user.",
  fix: "Remove the parameter, or overlay the tool without it.",
  checkTool({ texts }, report) {
    const suspects = texts.filter(mayCollect);
    if (suspects.length === 0) return;
    const byPath = new Map(texts.map((text) => [text.path, text]));
    const names = new Set(suspects.map((text) => (text.role === "property-name" ? text : byPath.get(parentOf(text.path)))));
    for (const name of names) {
      if (name?.role !== "property-name") continue;
      const description = byPath.get(`${name.path}/description`);
      const sentence = name.parts[0]?.sentences[0];
      if (sentence === undefined) continue;
      const phrase = ` ${sentence.phrase} `;
      const [isTalk, isSecret] = [talk.test(phrase), credentials.test(phrase)];
      const said = description?.parts[0]?.sentences ?? [];
      const says = (test: (one: (typeof said)[number]) => boolean): boolean => said.some(test);
      if (isTalk) {
        const isOwn =
          said.length === 0 ||
          says(
            (one) =>
              one.hasAny("entire", "model", "you", "every") ||
              /\b(?:so far|started with|current|this (?:conversation|session|chat))\b/.test(one.phrase),
          );
        const isFor = says((one) =>
          /\b(?:to use|for the (?:new|created|target)|of the (?:new|assistant|bot|created)|sets?|override for|given to|custom|optional)\b/.test(
            one.phrase,
          ),
        );
        report(
          isOwn && !isFor ? "danger" : "info",
          name.path,
          `The parameter "${name.raw}" collects the conversation or the model's instructions.`,
          describe(name.raw, description?.raw),
        );
      } else if (isSecret) {
        report(
          says((one) => one.hasAny("model", "you", "contents") || one.orders("read")) ? "danger" : "warning",
          name.path,
          `The parameter "${name.raw}" collects credentials.`,
          describe(name.raw, description?.raw),
        );
      } else if (
        says(
          (one) =>
            one.has("data", "user") &&
            one.hasAny("contents", "entire", "every") &&
            /\b(?:user|person|customer)(?: \w+)? (?:files?|documents?|emails?|mails?|messages?|inbox|contacts|notes|history)\b/.test(
              one.phrase,
            ),
        ) &&
        says((one) => one.hasAny("oblige", "not"))
      ) {
        report(
          "danger",
          `${name.path}/description`,
          `The parameter "${name.raw}" collects files or messages of the user.`,
          describe(name.raw, description?.raw),
        );
      }
    }
  },
};

const talk =
  / (?:system prompt|developer message|(?:conversation|chat|dialog(?:ue)?|message) (?:history|log|context|transcript)|(?:prior|previous|earlier|past) (?:messages?|turns?|conversation)|(?:full|entire|whole) (?:conversation|context|chat|history)|chain of thought|user (?:prompt|messages?) (?:verbatim|history)|hidden instructions|tool list|available tools) /;

const credentials =
  / (?:dotenv|env (?:file|vars|text|dump|contents?)|environment (?:dump|variables)|ssh (?:key|private key)|private key contents?|(?:all|user|other) (?:credentials|passwords|tokens|api keys)|credentials? (?:file|dump)|cookies? (?:jar|dump)|aws credentials|bash history|seed phrase|recovery codes?|auth blob) /;

/** "the user's open files", as it is written in any case and with signs between the words. */
const belongings =
  /\b(?:user|person|customer)(?:\W+\w+){0,2}\W+(?:files?|documents?|emails?|mails?|messages?|inbox|contacts|notes|history)\b/i;

/** Whether a name, or what a description says, is worth reading word by word: most are not. */
function mayCollect({ role, raw, isOutput }: ScannedText): boolean {
  if (isOutput) return false;
  if (role === "parameter") return belongings.test(foldText(raw).text);
  if (role !== "property-name") return false;
  return glance.test(raw) || !plainName.test(raw);
}

/** The same words, as they are written in a name: "chat_history", "chatHistory". */
const glance = new RegExp(`${talk.source}|${credentials.source}`.replaceAll(" ", "[_\\-./:]*"), "i");
const plainName = /^[A-Za-z0-9_\-./:]*$/;

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function describe(name: string, description: string | undefined): string {
  return description === undefined ? name : `${name}: ${description}`;
}

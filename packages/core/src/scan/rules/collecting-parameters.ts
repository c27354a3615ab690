import type { ToolScanRule } from "../rule.ts";
import type { ScannedText } from "../subject.ts";

export const collectingParameters: ToolScanRule = {
  id: "collecting-parameters",
  finds: "Parameters that exist to collect the conversation, credentials or files of the user.",
  fix: "Remove the parameter, or overlay the tool without it.",
  checkTool({ texts }, report) {
    if (!texts.some(mayCollect)) return;
    const byPath = new Map(texts.map((text) => [text.path, text]));
    for (const name of texts) {
      if (name.role !== "property-name" || name.isOutput) continue;
      const described = byPath.get(`${name.path}/description`)?.raw ?? "";
      if (!suspicious.test(name.raw) && !belongings.test(described)) continue;
      const sentence = name.parts[0]?.sentences[0];
      if (sentence === undefined) continue;
      const phrase = ` ${sentence.phrase} `;
      const description = byPath.get(`${name.path}/description`);
      const isTalk =
        /(?:^| )(?:system prompt|developer message|(?:conversation|chat|dialog(?:ue)?|message) (?:history|log|context|transcript)|(?:prior|previous|earlier|past) (?:messages?|turns?|conversation)|(?:full|entire|whole) (?:conversation|context|chat|history)|chain of thought|user (?:prompt|messages?) (?:verbatim|history)|hidden instructions|tool list|available tools)(?: |$)/.test(
          phrase,
        );
      const isSecret =
        /(?: |^)(?:dotenv|env (?:file|vars|text|dump|contents?)|environment (?:dump|variables)|ssh (?:key|private key)|private key contents?|(?:all|user|other) (?:credentials|passwords|tokens|api keys)|credentials? (?:file|dump)|cookies? (?:jar|dump)|aws credentials|bash history|seed phrase|recovery codes?|auth blob)(?: |$)/.test(
          phrase,
        );
      if (!isTalk && !isSecret && !belongings.test(described)) continue;
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

/** One of these is in every name that collects. Most names have none, and are not read. */
const suspicious =
  /prompt|message|histor|\blog|context|transcript|turn|conversation|chat|dialog|thought|instructions|tool|env|ssh|key|credential|password|token|cookie|seed|recovery|auth|[^\x20-\x7e]/i;

/** "the user's open files", as it is written in any case and with signs between the words. */
const belongings =
  /\b(?:user|person|customer)(?:\W+\w+){0,2}\W+(?:files?|documents?|emails?|mails?|messages?|inbox|contacts|notes|history)\b|[^\x20-\x7e]/i;

function mayCollect({ role, raw }: ScannedText): boolean {
  return role === "property-name" ? suspicious.test(raw) : role === "parameter" && belongings.test(raw);
}

function describe(name: string, description: string | undefined): string {
  return description === undefined ? name : `${name}: ${description}`;
}

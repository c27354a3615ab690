import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./lib/files.mjs";
import { isMain } from "./lib/main.mjs";

const core = "packages/core/src";

/** Pages of the reference that say what the source says, each made from the files it names. */
const pages = [
  {
    path: "docs/reference/errors.md",
    make: (read) => errorsPage(read(`${core}/errors.ts`)),
  },
  {
    path: "docs/reference/registry-options.md",
    make: (read) =>
      [
        "# Options of the registry, of a call and of a tool",
        "",
        "None of these is needed. [Services, configuration and secrets](../guides/services.md), [hooks and limits](../guides/hooks-and-limits.md)",
        "and [policy](../guides/policy.md) show them at work.",
        ...section("## `createRegistry(options)`", "RegistryOptions", read(`${core}/registry/options.ts`)),
        ...section("## `limits`", "CallLimits", read(`${core}/call/chain.ts`)),
        ...section("### `limits.rate[]`", "RateLimitRule", read(`${core}/call/wrappers/rate-limit.ts`)),
        ...section("### `limits.retry`", "RetryOptions", read(`${core}/call/wrappers/retry.ts`)),
        ...section("### `limits.loops`", "LoopDetectionOptions", read(`${core}/call/wrappers/loop-detection.ts`)),
        ...section("### `limits.circuitBreaker`", "CircuitBreakerOptions", read(`${core}/call/wrappers/circuit-breaker.ts`)),
        ...section("### `limits.images`", "ImageLimitOptions", read(`${core}/call/wrappers/images.ts`)),
        ...section("## `redaction`", "RedactionOptions", read(`${core}/call/wrappers/redact.ts`)),
        ...section("## `registry.invoke(name, input, options)`", "InvokeOptions", read(`${core}/call/host.ts`)),
        ...section("## `metadata` of a tool", "ToolMetadata", read(`${core}/tool/metadata.ts`)),
      ].join("\n"),
  },
];

/** For members whose name and type say enough in the source. */
const plainWords = {
  limits: "What holds for every call; for one tool, its own `timeoutMs`, `maxResultBytes` and `concurrency`.",
  hooks: "Functions that look at calls before they run, and at results before anyone else does.",
  rate: "How often callers may call; each rule counts for itself.",
  retry: "Tries again what failed and calls itself retryable.",
  loops: "Refuses a run that makes the same call with the same outcome again and again.",
  circuitBreaker: "Lets a tool rest that fails again and again.",
  images: "Which images are passed on in results.",
  calls: "How many calls fit into a stretch of `perMs`.",
  perMs: "The length of the stretch.",
  onProgress: "Told what the handler passes to `context.progress`.",
  optionality: "`required`, `optional` or `conditional`; a policy that hides a required tool says so in a warning.",
  examples: "Calls as `{ description, input, output?, usage? }`: models follow them, and the test kit runs them.",
  requiresCapabilities: "What the machine must have: `git`, `binary:ffmpeg`, `env:API_KEY` … Without it the tool is not offered.",
  tags: "Words to find the tool by.",
  ownerOnly: "Hidden from everyone who is not known to be the owner.",
  pluginId: "The plugin that the tool belongs to; policies may name it.",
  secrets: "Names of secrets that the handler may ask for. Without them the tool is not offered.",
  annotations: "`readOnly`, `destructive`, `idempotent`, `openWorld`, each true or false.",
  deprecated: "Still offered, and every result warns.",
};

const notice = "<!-- Made by scripts/gen-reference.mjs from the source; `node scripts/gen-reference.mjs` makes it again. -->";

/** Writes the pages, or with `check` answers those that differ from what they should be. */
export function generateReference(folder, { check = false } = {}) {
  const stale = [];
  for (const { path, make } of pages) {
    const file = join(folder, path);
    const text = `${notice}\n\n${make((source) => readFileSync(join(folder, source), "utf8"))}\n`;
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    stale.push(path);
    if (check) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return stale;
}

function errorsPage(source) {
  const [, table] = /export const errorCodes = \{\n(.*?)\n\} as const;/s.exec(source) ?? [];
  if (table === undefined) throw new Error("errors.ts has no table errorCodes.");
  const lines = [
    "# Error codes",
    "",
    "Every failure has one of these codes, and the HTTP status that goes with it. [Errors](../guides/errors.md) shows how to use them.",
  ];
  for (const line of table.split("\n")) {
    const [, comment] = /^ {2}\/\/ (.+)$/.exec(line) ?? [];
    const [, code, status, sentence] = /^ {2}([A-Z_]+): \{ status: (\d+), sentence: (".*") \},$/.exec(line) ?? [];
    if (comment !== undefined) lines.push("", `## ${comment.replace(/\.$/, "")}`, "", "| code | status | meaning |", "| --- | --- | --- |");
    else if (code !== undefined) lines.push(`| \`${code}\` | ${status} | ${JSON.parse(sentence).replaceAll("|", "\\|")} |`);
    else throw new Error(`errors.ts has a line that is neither a code nor a comment: ${line}`);
  }
  return lines.join("\n");
}

/** A heading, and a table of an interface's members. */
function section(heading, name, source) {
  const rows = readInterface(source, name).map(
    ({ member, type, text }) => `| \`${member}\` | \`${type.replaceAll("|", "\\|")}\` | ${text.replaceAll("|", "\\|")} |`,
  );
  return ["", heading, "", "| option | type | what it does |", "| --- | --- | --- |", ...rows];
}

/** The members of an interface with their types and their comments on one line: { member, type, text }. */
function readInterface(source, name) {
  const [, body] = new RegExp(`export interface ${name}\\b[^{]*\\{\\n(.*?)\\n\\}`, "s").exec(source) ?? [];
  if (body === undefined) throw new Error(`There is no interface ${name}.`);
  const members = [];
  const member = /^ {2}(?:\/\*\*\s*(?<comment>.*?)\s*\*\/\s+)?(?:readonly )?(?<name>\w+)\??: (?<type>.*?);$/gms;
  for (const { groups } of body.matchAll(member)) {
    members.push({
      member: groups.name,
      type: groups.type.replace(/\s+/g, " ").replaceAll("readonly ", ""),
      text: readComment(groups.comment ?? plainWords[groups.name] ?? ""),
    });
  }
  return members;
}

/** "How long. @default 5" → "How long. Default: 5." */
function readComment(comment) {
  const text = comment.replace(/(^|\n)\s*\*\s?/g, " ").trim();
  return text
    .replace(/\s*@default\s+(.+?)\.?$/, (_, value) => ` Default: ${value.replace(/^(["'\d][\w"'.]*|true|false)$/, "`$1`")}.`)
    .trim();
}

if (isMain(import.meta.url)) {
  const check = process.argv.includes("--check");
  for (const path of generateReference(root, { check })) {
    console.log(check ? `${path} is not up to date. Run node scripts/gen-reference.mjs.` : `${path} written`);
    if (check) process.exitCode = 1;
  }
}

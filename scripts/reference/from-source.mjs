/** Reads tables for the reference out of source files, as text. */

/** For members whose name and type say enough in the source. */
const plainWords = {
  limits: "What holds for every call; for one tool, its own `timeoutMs`, `maxResultBytes` and `concurrency`.",
  hooks: "Functions that look at calls before they run, and at results before anyone else does.",
  rate: "How often callers may call; each rule counts for itself.",
  retry: "Tries again what failed and calls itself retryable.",
  loops: "Refuses a run that repeats the same call with the same result.",
  circuitBreaker: "Stops calling a tool that fails repeatedly.",
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
  needs: "What the handler reaches for: `memoryMb`, `hosts`, `files`, `programs`, `permissions`. Shown as declared, not enforced.",
  annotations: "`readOnly`, `destructive`, `idempotent`, `openWorld`, each true or false.",
  deprecated: "Still offered, and every result warns.",
  redaction: "What is taken out of the lines beside the usual fields.",
  keys: "The master keys, from `createKeys` or `keysFromEnvironment`, or of your own.",
  maxAgeMs: "Rows that are older go.",
  maxRows: "The oldest rows beyond this number go.",
  maxBytes: "The longest answer that is read.",
  headers: "By name.",
  body: "What is sent.",
  signal: "Gives the wait up.",
  timeoutMs: "For this request.",
  schema_name: "Records of this kind.",
  since: "The number of the last change that was seen.",
  limit: "How many at most.",
};

/** A table of error codes, from `const <name> = { CODE: { status, sentence } }` or `{ CODE: "sentence" }`; comments become headings. */
export function errorTable(name, source) {
  const [, table] = new RegExp(`const ${name} = \\{\\n(.*?)\\n\\} as const;`, "s").exec(source) ?? [];
  if (table === undefined) throw new Error(`There is no table ${name}.`);
  // The formatter breaks long entries.
  const entries = table.replace(/\{\n\s+status: (\d+),\n\s+sentence:\s+(".*?"),\n\s+\},/g, "{ status: $1, sentence: $2 },").split("\n");
  const hasStatus = table.includes("status:");
  const head = hasStatus ? ["| code | status | meaning |", "| --- | --- | --- |"] : ["| code | meaning |", "| --- | --- |"];
  const lines = table.startsWith("  //") ? [] : ["", ...head];
  for (const line of entries) {
    const [, comment] = /^ {2}\/\/ (.+)$/.exec(line) ?? [];
    const [, code, , status, sentence] = /^ {2}([A-Z_]+): (\{ status: (\d+), sentence: )?(".*?")(?: \})?,$/.exec(line) ?? [];
    if (comment !== undefined) lines.push("", `## ${comment.replace(/\.$/, "")}`, "", ...head);
    else if (code !== undefined)
      lines.push(`| \`${code}\` |${hasStatus ? ` ${status} |` : ""} ${JSON.parse(sentence).replaceAll("|", "\\|")} |`);
    else throw new Error(`${name} has a line that is neither a code nor a comment: ${line}`);
  }
  return lines;
}

/** A heading, and a table of an interface's members; `words` are for members that say something else here than elsewhere. */
export function section(heading, name, source, words = {}) {
  const rows = readInterface(source, name, { ...plainWords, ...words }).map(
    ({ member, type, text }) => `| \`${member}\` | \`${type.replaceAll("|", "\\|")}\` | ${text.replaceAll("|", "\\|")} |`,
  );
  return ["", heading, "", "| option | type | description |", "| --- | --- | --- |", ...rows];
}

/** A heading, and a table of the methods and properties of an interface that others implement. */
export function contractSection(heading, name, source) {
  const [, body] = new RegExp(`export interface ${name}\\b[^{]*\\{\\n(.*?)\\n\\}`, "s").exec(source) ?? [];
  if (body === undefined) throw new Error(`There is no interface ${name}.`);
  const member = /^ {2}(?:\/\*\*\s*(?<comment>(?:(?!\*\/).)*?)\s*\*\/\s+)?(?:readonly )?(?<name>\w+)\??(?:<.*?>)?[(:].*?;$/gms;
  const rows = [...body.matchAll(member)].map(
    ({ groups }) => `| \`${groups.name}\` | ${readComment(groups.comment ?? "").replaceAll("|", "\\|")} |`,
  );
  return ["", heading, "", "| member | what must hold |", "| --- | --- |", ...rows];
}

/** The members of an interface, and first those of one that it extends in the same text, with types and comments: { member, type, text }. */
function readInterface(source, name, words) {
  const [, base, body] = new RegExp(`export interface ${name}\\b(?: extends (\\w+) )?[^{]*\\{\\n(.*?)\\n\\}`, "s").exec(source) ?? [];
  if (body === undefined) throw new Error(`There is no interface ${name}.`);
  const members = source.includes(`export interface ${base} `) ? readInterface(source, base, words) : [];
  const member = /^ {2}(?:\/\*\*\s*(?<comment>.*?)\s*\*\/\s+)?(?:readonly )?(?<name>\w+)\??: (?<type>.*?);$/gms;
  for (const { groups } of body.matchAll(member)) {
    members.push({
      member: groups.name,
      type: groups.type.replace(/\s+/g, " ").replaceAll("readonly ", ""),
      text: readComment(groups.comment ?? words[groups.name] ?? ""),
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

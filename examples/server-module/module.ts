// A module for `tools.modules`: it adds a tool, a kind of stored tool, a pack, a type of source, a vendor, a wrapper and a lint rule.
// #region import
import { readFile } from "node:fs/promises";
import path from "node:path";
import { defineTool } from "@toolrack/core";
import { defineLintRule } from "@toolrack/core/lint";
import { chatLimits, chatRules, chatWire, defineProvider, looseSchema } from "@toolrack/core/vendors";
import { type AddedWrapper, defineModule, type ImplementationKind, type PackDefinition, type SourceKind } from "@toolrack/server/module";
// #endregion

// #region tool
const roll = defineTool({
  name: "roll_dice",
  description: "Rolls a die with six sides.",
  inputSchema: { type: "object", additionalProperties: false },
  handler: () => String(1 + Math.floor(Math.random() * 6)),
});
// #endregion

// #region kind
/** Stored tools that fill in a template: { kind: "template", text: "Dear {name}, …" } */
export const template: ImplementationKind = {
  kind: "template",
  createHandler({ text }) {
    if (typeof text !== "string") throw new Error('A template needs "text".');
    return (input) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(input[name] ?? ""));
  },
};
// #endregion

// #region pack
/** tools.packs.tickets: { prefix: SHOP } */
const tickets: PackDefinition = {
  name: "tickets",
  options: { type: "object", properties: { prefix: { type: "string" } }, required: ["prefix"], additionalProperties: false },
  open({ prefix }) {
    let last = 0;
    return [
      defineTool({
        name: "open_ticket",
        description: "Opens a ticket for a person to work on, and returns its number.",
        inputSchema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
        handler: () => `${String(prefix)}-${++last}`,
      }),
    ];
  },
};
// #endregion

// #region source
/** sources.<id>: { type: faq, options: { file: ./faq.json } }: a tool for each entry of a JSON file */
const faq: SourceKind = {
  type: "faq",
  options: { type: "object", properties: { file: { type: "string" } }, required: ["file"], additionalProperties: false },
  create({ file }, { id, folder }) {
    const read = async () => JSON.parse(await readFile(path.resolve(folder, String(file)), "utf8")) as Record<string, string>;
    let known: { readonly text: string; readonly tools: ReturnType<typeof toTool>[] } | undefined;
    return {
      id,
      // The same file gives the same tools, so that the registry sees what changed.
      async list() {
        const entries = await read();
        const text = JSON.stringify(entries);
        if (known?.text !== text) known = { text, tools: Object.entries(entries).map(toTool) };
        return known.tools;
      },
    };
  },
};

function toTool([name, answer]: [string, string]) {
  return defineTool({
    name: `faq_${name}`,
    description: `Answers questions about ${name}.`,
    inputSchema: { type: "object", additionalProperties: false },
    handler: () => answer,
  });
}
// #endregion

// #region vendor
/** toolrack export acme */
const acme = defineProvider({
  name: "acme",
  wire: chatWire({ declare: ({ name, description, schema }) => ({ kind: "tool", name, about: description, input: schema }) }),
  limits: chatLimits,
  schema: looseSchema,
  rules: chatRules,
});
// #endregion

// #region wrapper
/** Refuses titles that contain a card number. Wrappers never throw: a refusal is a failure that the call makes. */
export const noCardNumbers: AddedWrapper = {
  at: "before-limits",
  wrapper: {
    name: "no-card-numbers",
    appliesTo: (tool) => tool.name === "open_ticket",
    beforeRun(call) {
      if (!/\d(?:[ -]?\d){12,18}/.test(JSON.stringify(call.input))) return undefined;
      return call.fail("BLOCKED", "The input contains a card number. Write only its last four digits.");
    },
  },
};
// #endregion

// #region lint-rule
/** toolrack lint */
const startsWithVerb = defineLintRule({
  id: "starts-with-verb",
  severity: "warning",
  finds: "Descriptions that do not begin with a verb such as Opens or Answers.",
  check({ description = "" }, report) {
    if (/^[A-Z][a-z]+s\b/.test(description)) return;
    report("/description", "The description does not begin with a verb.", "Begin with what the tool does: Opens, Answers, Finds.");
  },
});
// #endregion

// #region module
export default defineModule({
  tools: [roll],
  kinds: [template],
  packs: [tickets],
  sources: [faq],
  vendors: [acme],
  wrappers: [noCardNumbers],
  lintRules: [startsWithVerb],
});
// #endregion

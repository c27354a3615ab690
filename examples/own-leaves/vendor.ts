// A vendor of one's own: everything about it in one value.
// #region imports
import { chatLimits, chatRules, chatWire, defineProvider, looseSchema, nodePass, schemaPasses, vendorRules } from "@toolrack/core/vendors";
// #endregion

// #region pass
/** Acme shows `title` to the model in place of the name of a property, so no title is sent. */
const withoutTitles = nodePass(["title"], (schema, place, context) => {
  if (typeof schema["title"] !== "string") return schema;
  const { title: _, ...rest } = schema;
  context.lose(place, "title", "dropped, because Acme would show it as the name");
  return rest;
});
// #endregion

// #region vendor
export const acme = defineProvider({
  name: "acme",
  // Acme speaks the Chat format, with a declaration of its own.
  wire: chatWire({
    declare: ({ name, description, schema }) => ({ kind: "tool", name, about: description, input: schema }),
  }),
  limits: { ...chatLimits, tools: 32 },
  // Nearly any JSON Schema, but no uniqueItems: it is dropped, noted in the description, and listed as a loss.
  schema: { ...looseSchema, passes: [...looseSchema.passes, schemaPasses.dropKeywords(["uniqueItems"]), withoutTitles] },
  // What is exported is checked against these. A tool that breaks one is left out, with a diagnostic.
  rules: [...chatRules, vendorRules.notKeywords("uniqueItems", "title")],
});
// #endregion

/** A reply as Acme writes it, for the contract. */
export const acmeReply = {
  choices: [{ message: { tool_calls: [{ id: "call_1", function: { name: "label", arguments: '{"labels":["red","blue"]}' } }] } }],
};

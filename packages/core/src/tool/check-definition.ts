import { isObject, misspellingOf } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import { anything, checkFields, type FieldKind, type Fields, required, text } from "../util/check-fields.ts";
import { metadataFields } from "./metadata.ts";
import { assertToolName } from "./name.ts";

/** Throws DEFINITION_INVALID for a field that is unknown, missing or of the wrong kind. The schemas are checked where they are read. */
export function checkDefinition(draft: { readonly name: string }): void {
  const { name, handler }: { readonly name?: unknown; readonly handler?: unknown } = isObject(draft) ? draft : {};
  if (handler === undefined && !Object.keys(draft ?? {}).some((key) => misspellingOf(key, ["handler"])))
    throw new ToolError("DEFINITION_INVALID", `${typeof name === "string" ? `Tool "${name}"` : "A tool"} has no handler. ${fix}`);
  assertToolName(name);
  checkFields(draft, fields, {
    subject: `Tool "${name}"`,
    word: "field",
    code: "DEFINITION_INVALID",
    isOpen: !isPlain(draft),
  });
}

const fix =
  "Write { name, description, inputSchema, handler }, or use fromOpenAITools, fromAiSdk or fromLangChain of @toolrack/core/vendors.";

/** "1.0.0", "2.1.0-beta.1+build5": three whole numbers, optionally with a pre-release and a build part. */
const version: FieldKind = {
  is: 'a semantic version such as "1.0.0"',
  test: (value) =>
    typeof value === "string" &&
    value.length <= 256 &&
    /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.test(value),
  quotes: true,
};

const fields: Fields = {
  name: anything,
  description: required({ ...text, is: "a text that tells a model what the tool does" }),
  inputSchema: anything,
  handler: required({ is: "a function (input, context) => result", test: (value) => typeof value === "function" }),
  title: text,
  version,
  outputSchema: anything,
  // What an instance of a class has in accessors would be lost, a restriction among them.
  metadata: { is: "a plain object", test: (value) => isObject(value) && isPlain(value), fields: metadataFields },
};

/** Written as a literal: whatever else it has was meant for the tool. An instance of a class may have a state of its own. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

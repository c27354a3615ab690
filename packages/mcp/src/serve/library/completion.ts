import { isObject } from "@toolrack/core/internal";
import { McpError } from "../../errors.ts";
import type { JsonObject } from "../../wire/protocol.ts";
import { ServedCall } from "../client/served-call.ts";
import type { Exchange } from "../exchange.ts";
import type { Library } from "./library.ts";
import type { ServeContext } from "./prompts.ts";
import { isTemplate, templateOf } from "./resources.ts";

/** `completion/complete`: what an argument of a prompt or a gap in a URI could be, as far as this caller may see. */
export async function complete(library: Library, exchange: Exchange): Promise<JsonObject> {
  const { ref, argument } = exchange.params;
  if (!isObject(ref) || !isObject(argument)) throw new McpError("invalidParams", "ref and argument must be objects.");
  const { name, value } = argument;
  if (typeof name !== "string" || typeof value !== "string") throw new McpError("invalidParams", "argument needs a name and a value.");
  const context: ServeContext = { caller: exchange.caller, client: new ServedCall(exchange, {}), signal: exchange.signal };
  const values = await valuesFor(library, exchange, ref, name, value, context);
  return { completion: { values: values.slice(0, maxValues), total: values.length, hasMore: values.length > maxValues } };
}

/** As many as the protocol lets through. */
const maxValues = 100;

async function valuesFor(
  library: Library,
  exchange: Exchange,
  ref: JsonObject,
  name: string,
  typed: string,
  context: ServeContext,
): Promise<readonly string[]> {
  if (ref["type"] === "ref/prompt") {
    const prompt = library.promptsFor(exchange).find((other) => other.name === ref["name"]);
    const argument = prompt?.arguments?.find((other) => other.name === name);
    if (argument === undefined) throw new McpError("invalidParams", "There is no such prompt, or no such argument of it.");
    return (await argument.complete?.(typed, context)) ?? [];
  }
  if (ref["type"] !== "ref/resource") throw new McpError("invalidParams", 'ref.type must be "ref/prompt" or "ref/resource".');
  const template = library.resourcesFor(exchange).find((other) => isTemplate(other) && other.uriTemplate === ref["uri"]);
  if (template === undefined || !isTemplate(template) || !templateOf(template).names.includes(name)) {
    throw new McpError("invalidParams", "There is no such resource template, or no such gap in it.");
  }
  return (await template.complete?.(name, typed, context)) ?? [];
}

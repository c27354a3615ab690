import type { JsonSchema } from "@toolrack/json-schema";
import { isObject } from "@toolrack/json-schema/internal";
import { at, objectsIn, readArguments, splitImages, text } from "../format/parts.ts";
import type { Provider, ToolChoice, WireCall, WireTool } from "../provider.ts";

/** Gemini with `parametersJsonSchema`. Shapes as in the typings of @google/genai: FunctionDeclaration, FunctionCall, FunctionResponse, ToolConfig. */
export const geminiProvider: Provider = geminiFormat("gemini", (tool) => ({
  parametersJsonSchema: tool.schema,
  ...(tool.outputSchema && { responseJsonSchema: tool.outputSchema }),
}));

/** Gemini with `parameters`, for Vertex, older endpoints and proxies. An object without properties is refused there, so nothing is said. */
export const geminiOpenApiProvider: Provider = geminiFormat("gemini-openapi", (tool) =>
  hasProperties(tool.schema) ? { parameters: tool.schema } : {},
);

function geminiFormat(name: "gemini" | "gemini-openapi", schemas: (tool: WireTool) => object): Provider {
  return {
    name,
    schemaTarget: name,
    limits: { name: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/, nameLength: 64 },
    declare: (tool) => ({ name: tool.name, description: tool.description, ...schemas(tool) }),
    frame: (declarations) => (declarations.length === 0 ? [] : [{ functionDeclarations: declarations }]),
    readCalls,
    writeResults: (answers) =>
      answers.length === 0
        ? []
        : [
            {
              role: "user",
              parts: answers.map(({ call, result }) => {
                const { text: said, images } = splitImages(result);
                const response = result.ok ? { output: result.data ?? said } : { error: result.error };
                const parts = images.map((image) => ({ inlineData: { mimeType: image.mimeType, data: image.data } }));
                return {
                  functionResponse: {
                    ...(!call.id.startsWith(madeUp) && { id: call.id }),
                    name: call.wireName,
                    response,
                    ...(parts.length > 0 && { parts }),
                  },
                };
              }),
            },
          ],
    writeChoice: ({ choice }) => ({ toolConfig: { functionCallingConfig: choiceOf(choice) } }),
  };
}

/** Calls may come without an id; such an id is ours and is not sent back. */
const madeUp = "gemini_call_";

/** A whole reply, or the chunks of a stream: each holds whole calls, except where Vertex streams arguments piece by piece. */
function readCalls(reply: unknown): readonly WireCall[] {
  const found: { id: unknown; name: unknown; args: unknown; open: boolean }[] = [];
  for (const chunk of Array.isArray(reply) ? reply : [reply]) {
    const content = at(chunk, "candidates", 0, "content") ?? at(chunk, "content") ?? chunk;
    for (const part of objectsIn(at(content, "parts"))) {
      const call = part["functionCall"];
      if (!isObject(call)) continue;
      const last = found.at(-1);
      const target = last?.open ? last : { id: call["id"], name: call["name"], args: call["args"], open: false };
      if (target !== last) found.push(target);
      for (const piece of objectsIn(call["partialArgs"])) target.args = withPiece(target.args, piece);
      target.open = call["willContinue"] === true;
    }
  }
  return found.map(({ id, name, args }, index) => ({ id: text(id) || `${madeUp}${index}`, name: text(name), ...readArguments(args) }));
}

/** { jsonPath: "$.place.city", stringValue: "Ber" } adds to the text at that place. */
function withPiece(args: unknown, piece: Record<string, unknown>): unknown {
  const path = text(piece["jsonPath"]).match(/[^.$[\]'"]+/g) ?? [];
  const value = piece["stringValue"] ?? piece["numberValue"] ?? piece["boolValue"] ?? null;
  return place(args, path.slice(0, 64), value);
}

function place(into: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return typeof into === "string" && typeof value === "string" ? into + value : value;
  if (Array.isArray(into) || (into === undefined && /^\d{1,4}$/.test(key))) {
    const list = Array.isArray(into) ? [...into] : [];
    list[Number(key)] = place(list[Number(key)], rest, value);
    return list;
  }
  const object = isObject(into) ? into : {};
  return { ...object, ...Object.fromEntries([[key, place(Object.hasOwn(object, key) ? object[key] : undefined, rest, value)]]) };
}

function hasProperties(schema: JsonSchema): boolean {
  return isObject(schema["properties"]) && Object.keys(schema["properties"]).length > 0;
}

function choiceOf(choice: ToolChoice): object {
  if (choice === "required") return { mode: "ANY" };
  if (typeof choice === "string") return { mode: choice.toUpperCase() };
  if ("tool" in choice) return { mode: "ANY", allowedFunctionNames: [choice.tool] };
  return { mode: choice.mode === "auto" ? "VALIDATED" : "ANY", allowedFunctionNames: choice.tools };
}

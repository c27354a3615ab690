import { loadCore } from "../lib/core.mjs";

const inputSchema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1, pattern: "^[a-z/.]+$", description: "Where it lies." },
    lines: { type: "integer", minimum: 1, maximum: 500 },
    mode: { type: "string", enum: ["text", "bytes"], default: "text" },
    filters: { type: "array", items: { type: "object", properties: { word: { type: "string" } }, required: ["word"] }, maxItems: 3 },
    labels: { type: "object", additionalProperties: { type: "string" } },
  },
  required: ["path"],
  additionalProperties: false,
};

/** A registry with a tool that works, under a name no vendor takes as it is, and one that fails; and all that its calls leave behind. */
export async function createSetting() {
  const { createRegistry, defineTool, exportTools } = await loadCore("vendors");
  const registry = createRegistry();
  const handled = [];
  const signals = [];
  registry.register(
    defineTool({
      name: "files.read",
      description: "Reads a file.",
      inputSchema,
      handler: (input, { callId }) => {
        handled.push({ callId, input });
        return { read: input.path };
      },
    }),
  );
  registry.register(
    defineTool({
      name: "files_remove",
      description: "Removes a file.",
      inputSchema: { type: "object", properties: {} },
      handler: () => {
        throw new Error("The disk is read-only.");
      },
    }),
  );
  const tools = registry.list();
  const shown = exportTools(tools, "openai").tools.map(({ name, description, parameters }) => ({ name, description, schema: parameters }));
  return {
    tools,
    shown,
    handled,
    signals,
    call(name, input, options) {
      signals.push(options.signal);
      return registry.invoke(name, input, options);
    },
    calls: [
      { id: "call_valid", name: shown[0].name, input: { path: "a/b.txt", lines: 3, labels: { x: "y" } } },
      { id: "call_invalid", name: shown[0].name, input: { lines: 0 } },
      { id: "call_failing", name: shown[1].name, input: {} },
    ],
    refusal: (await registry.invoke("files.read", { lines: 0 })).error,
  };
}

import { createRegistry, defineTool, type Registry } from "@toolrack/core";
import type { Mistake } from "../mistake.ts";

/** A registry with one tool that returns this. */
function returning(returned: () => unknown): () => Registry {
  return () => {
    const registry = createRegistry({ outputValidation: "strict" });
    registry.register(defineTool({ name: "weather", description: "…", inputSchema: { type: "object" }, handler: () => returned() }));
    return registry;
  };
}

const call = (registry: Registry): unknown => registry.invoke("weather", {});

export const result: readonly Mistake[] = [
  { title: "An error that is returned, not thrown", define: returning(() => new Error("There is no city of this name.")), call },
  { title: "MCP's `isError`, without content", define: returning(() => ({ isError: true })), call },
  { title: "MCP's `isError` beside a text", define: returning(() => ({ content: "There is no city of this name.", isError: true })), call },
  {
    title: "Anthropic's `is_error`",
    define: returning(() => ({ content: [{ type: "text", text: "There is no city of this name." }], is_error: true })),
    call,
  },
  {
    title: "An `isError` that is a number",
    define: returning(() => ({ content: [{ type: "text", text: "There is no city of this name." }], isError: 1 })),
    call,
  },
  {
    title: "MCP's `isError`",
    define: returning(() => ({ content: [{ type: "text", text: "There is no city of this name." }], isError: true })),
    call,
  },
  { title: "A function in the result", define: returning(() => ({ city: "Rome", refresh: () => "sunny" })), call },
  { title: "`NaN` in the result", define: returning(() => ({ degrees: Number.NaN })), call },
  { title: "A result that contains itself", define: returning(() => circular()), call },
  { title: "A promise inside the result", define: returning(() => ({ degrees: Promise.resolve(20) })), call },
  { title: "A symbol in the result", define: returning(() => ({ kind: Symbol("rain") })), call },
  { title: "A `WeakMap` as result", define: returning(() => ({ seen: new WeakMap() })), call },
  {
    title: "An output that does not match its schema",
    define: () => {
      const registry = createRegistry({ outputValidation: "strict" });
      const outputSchema = { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] } as const;
      registry.register(
        defineTool({
          name: "weather",
          description: "…",
          inputSchema: { type: "object" },
          outputSchema,
          handler: () => ({ degrees: "20" }),
        }),
      );
      return registry;
    },
    call,
  },
  {
    title: "A service that does not exist",
    define: () => {
      const registry = createRegistry({ services: { clock: { now: () => 5 } } });
      const inputSchema = { type: "object" } as const;
      registry.register(
        defineTool({
          name: "weather",
          description: "…",
          inputSchema,
          handler: (_input: unknown, context: { services: { clock: { now(): number } } }) => context.services.sensor.read(),
        }),
      );
      return registry;
    },
    call,
  },
];

function circular(): unknown {
  const place: Record<string, unknown> = { city: "Rome" };
  place["self"] = place;
  return place;
}

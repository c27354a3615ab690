import { type CallContext, defineTool, type ToolDefinition } from "@toolrack/core";
import { actionSchema } from "../workspace/actions.ts";
import type { SettingsHost } from "./settings-host.ts";

interface GatewayInput {
  readonly action: "config.get" | "config.schema" | "config.patch";
  readonly key?: string;
  readonly changes?: Readonly<Record<string, unknown>>;
  readonly note?: string;
}

const text = { type: "string" } as const;

export function createGateway(host: SettingsHost): ToolDefinition {
  return defineTool({
    name: "gateway",
    title: "Settings of this server",
    description:
      "Shows the settings of this server without secrets, and proposes changes of some of them. A proposal changes nothing until a person accepts it.",
    inputSchema: actionSchema({
      description: "config.get shows settings, config.schema which of them can be proposed, config.patch proposes changes to a person.",
      actions: {
        "config.get": { takes: ["key"] },
        "config.schema": {},
        "config.patch": { needs: ["changes"], takes: ["note"] },
      },
      properties: {
        key: { ...text, minLength: 1, maxLength: 200, description: "One setting, or the beginning of several: bundles." },
        changes: {
          type: "object",
          minProperties: 1,
          maxProperties: 20,
          description: "The new value of each key; null removes it.",
        },
        note: { ...text, minLength: 1, maxLength: 1_000, description: "Why, for the person who decides." },
      },
    }),
    outputSchema: {
      type: "object",
      properties: {
        settings: {
          type: "array",
          items: { type: "object", properties: { key: text, value: {}, origin: text }, required: ["key", "origin"] },
        },
        keys: {
          type: "array",
          items: { type: "object", properties: { key: text, description: text, schema: {} }, required: ["key", "description"] },
        },
        proposal: {
          type: "object",
          properties: { id: text, keys: { type: "array", items: text }, expiresAt: text },
          required: ["id", "keys", "expiresAt"],
        },
        note: text,
      },
    },
    metadata: {
      category: "automation",
      optionality: "optional",
      usageHint: "To see how this server is set up. After config.patch, tell the user that the proposal waits for approval.",
      examples: [{ description: "What can be proposed", input: { action: "config.schema" }, usage: "result.keys[0].key" }],
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      labels: ["private"],
      limits: { timeoutMs: 30_000, maxResultBytes: 1_048_576, concurrency: 4 },
      groups: ["automation"],
    },
    handler: (input, context) => answer(host, input as unknown as GatewayInput, context),
  });
}

async function answer(host: SettingsHost, { action, key, changes = {}, note }: GatewayInput, context: CallContext): Promise<object> {
  switch (action) {
    case "config.get":
      return { settings: [...(await host.read(context, key))] };
    case "config.schema":
      return { keys: [...host.schema()] };
    case "config.patch":
      return {
        proposal: await host.propose(context, { changes, note }),
        note: "Nothing has changed. A person sees the whole proposal, and accepts it or not.",
      };
  }
}

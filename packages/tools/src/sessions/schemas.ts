import type { JsonSchema } from "@toolrack/json-schema";
import { sessionKinds } from "./host.ts";

const text: JsonSchema = { type: "string" };
const time: JsonSchema = { type: "string", description: "ISO 8601, in UTC." };

export const sessionParameter = (description: string): JsonSchema => ({ type: "string", minLength: 1, maxLength: 512, description });

export const agentParameter = (description: string): JsonSchema => ({ type: "string", minLength: 1, maxLength: 128, description });

export const labelParameter = (description: string): JsonSchema => ({ type: "string", minLength: 1, maxLength: 64, description });

export const messageSchema: JsonSchema = {
  type: "object",
  properties: {
    seq: { type: "integer" },
    at: time,
    role: { type: "string", enum: ["user", "assistant", "tool", "summary"] },
    text,
    from: {
      type: "object",
      description: "Who it comes from, as the host knows it.",
      properties: { kind: { type: "string", enum: ["person", "session", "schedule", "webhook", "agent", "system"] }, id: text },
      required: ["kind"],
    },
    calls: {
      type: "array",
      description: "The calls of tools, with includeTools.",
      items: { type: "object", properties: { tool: text, input: text }, required: ["tool", "input"] },
    },
  },
  required: ["seq", "at", "role", "text"],
};

const sessionFields: Readonly<Record<string, JsonSchema>> = {
  kind: { type: "string", enum: [...sessionKinds] },
  agent: text,
  label: text,
  status: { type: "string", enum: ["idle", "running", "waiting", "ended"] },
  model: text,
  updatedAt: time,
  tokens: { type: "integer", description: "Of all turns together." },
};

export const sessionSchema: JsonSchema = {
  type: "object",
  properties: {
    key: text,
    ...sessionFields,
    messages: { type: "array", description: "The newest messages, with messageLimit.", items: messageSchema },
  },
  required: ["key", "kind", "agent", "status", "updatedAt", "tokens"],
};

export const cardSchema: JsonSchema = {
  type: "object",
  properties: {
    card: { type: "string", description: "The same as lines of text." },
    sessionKey: text,
    ...sessionFields,
    inputTokens: { type: "integer" },
    outputTokens: { type: "integer" },
    costUsd: { type: "number" },
    time: { type: "string", description: "Now: ISO 8601, in UTC." },
    queued: { type: "integer", description: "Messages that wait for the next turn." },
    runningChildren: { type: "integer" },
    changedModel: { type: "boolean" },
  },
  required: ["card", "sessionKey", "status", "inputTokens", "outputTokens", "time", "queued", "runningChildren", "changedModel"],
};

import type { JsonSchema } from "@toolrack/json-schema";
import { actionSchema } from "../workspace/actions.ts";
import { channelActions, type ChannelAction, type ChannelsOptions } from "./options.ts";

export interface MessageInput {
  readonly action: "send" | "broadcast" | "reply" | "channel-list" | ChannelAction;
  readonly channel?: string;
  readonly target?: string;
  readonly targets?: readonly string[];
  readonly message?: string;
  readonly subject?: string;
  readonly messageId?: string;
  readonly replyTo?: string;
  readonly emoji?: string;
  readonly threadId?: string;
  readonly threadName?: string;
  readonly attachments?: readonly string[];
  readonly options?: readonly string[];
  readonly multiple?: boolean;
  readonly limit?: number;
  readonly before?: string;
  readonly dryRun?: boolean;
}

/** One recipient, and nothing that could be read as two, or as a header. */
const target = { type: "string", minLength: 1, maxLength: 254, pattern: '^[^\\s,;<>"\\u0000-\\u001f\\u007f-\\u009f]+$' } as const;
const id = (description: string): JsonSchema => ({
  type: "string",
  minLength: 1,
  maxLength: 200,
  pattern: "^[A-Za-z0-9._:@<>+=-]+$",
  description,
});

/** Only the actions that a configured channel can do. */
export function messageSchema(channels: ChannelsOptions, hasFiles: boolean): JsonSchema {
  const names = Object.keys(channels);
  const more = ["threadId", ...(hasFiles ? ["attachments"] : [])];
  const can = new Set(Object.values(channels).flatMap(({ type }) => channelActions[type]));
  const place = { needs: ["channel", "target", "messageId"] };
  const known = {
    edit: { needs: [...place.needs, "message"] },
    delete: place,
    react: { needs: [...place.needs, "emoji"] },
    read: { needs: ["channel", "target"], takes: ["limit", "before"] },
    poll: { needs: ["channel", "target", "message", "options"], takes: ["multiple", "threadId", "dryRun"] },
    "thread-create": { needs: ["channel", "target", "threadName"], takes: ["messageId"] },
  };
  return actionSchema({
    description:
      "send writes to a recipient, broadcast to several, reply to the conversation that this call came from; poll asks, thread-create begins a thread, where the channel has them; channel-list tells where messages can go.",
    actions: {
      send: { needs: ["channel", "target", "message"], takes: ["subject", "replyTo", "dryRun", ...more] },
      broadcast: { needs: ["channel", "targets", "message"], takes: ["subject", "dryRun"] },
      reply: { needs: ["message"], takes: ["subject", "replyTo", "dryRun", ...more] },
      ...Object.fromEntries(Object.entries(known).filter(([action]) => can.has(action as ChannelAction))),
      "channel-list": {},
    },
    properties: {
      channel: { type: "string", enum: names, description: "The channel." },
      target: { ...target, description: "The recipient: an id of a chat or channel, or an e-mail address." },
      targets: { type: "array", items: target, minItems: 1, maxItems: 20, uniqueItems: true, description: "Several recipients." },
      message: { type: "string", minLength: 1, maxLength: 100_000, pattern: "\\S", description: "The text, which is sent as it is." },
      subject: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$",
        description: "The subject of an e-mail.",
      },
      messageId: id("The message, from an earlier result."),
      replyTo: id("The message that it answers."),
      emoji: {
        type: "string",
        minLength: 1,
        maxLength: 64,
        pattern: "^[^\\s/?#%\\u0000-\\u001f\\u007f-\\u009f]+$",
        description: "An emoji, or its name in Slack.",
      },
      threadId: id("The thread of the target, from an earlier result."),
      ...(can.has("thread-create") && {
        threadName: { type: "string", minLength: 1, maxLength: 100, pattern: "\\S", description: "What the new thread is about." },
      }),
      ...(can.has("poll") && {
        options: {
          type: "array",
          items: { type: "string", minLength: 1, maxLength: 55, pattern: "\\S" },
          minItems: 2,
          maxItems: 10,
          uniqueItems: true,
          description: "What can be chosen in a poll; message is its question.",
        },
        multiple: { type: "boolean", default: false, description: "Whether several options may be chosen." },
      }),
      ...(hasFiles && {
        attachments: {
          type: "array",
          items: { type: "string", minLength: 1, maxLength: 1_000 },
          minItems: 1,
          maxItems: 10,
          uniqueItems: true,
          description: "Files of the workspace that are sent with it, 10 MB together.",
        },
      }),
      limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "At most this many messages." },
      before: id("Only messages before this one."),
      dryRun: { type: "boolean", default: false, description: "Checks everything, and sends nothing." },
    },
  });
}

const sent = {
  type: "object",
  properties: {
    target: { type: "string" },
    messageId: { type: "string" },
    error: { type: "string", description: "Why it was not sent, or that nobody knows." },
  },
  required: ["target"],
} as const;

export const messageOutput: JsonSchema = {
  type: "object",
  properties: {
    channel: { type: "string" },
    target: { type: "string" },
    messageId: { type: "string" },
    sent: { type: "array", items: sent, description: "For broadcast, each recipient." },
    dryRun: { type: "boolean" },
    threadId: { type: "string", description: "For thread-create, the new thread." },
    done: { type: "string", description: "For edit, delete and react, what was done." },
    messages: {
      type: "array",
      description: "For read, the newest first.",
      items: {
        type: "object",
        properties: {
          messageId: { type: "string" },
          author: { type: "string" },
          text: { type: "string" },
          sentAt: { type: "string" },
        },
        required: ["messageId", "author", "text", "sentAt"],
      },
    },
    channels: {
      type: "array",
      description: "For channel-list.",
      items: {
        type: "object",
        properties: {
          channel: { type: "string" },
          type: { type: "string" },
          recipients: { type: "array", items: { type: "string" } },
          actions: { type: "array", items: { type: "string" } },
        },
        required: ["channel", "type", "recipients", "actions"],
      },
    },
  },
};

import { type ToolDefinition, ToolError } from "@toolrack/core";
import type { SafeFetchOptions } from "@toolrack/fetch";
import { createHttp, hostOf } from "../operations/http.ts";
import { createFileOperations } from "../operations/node-files.ts";
import { underPathRules } from "../workspace/path-rules.ts";
import { inWorkspace } from "../workspace/tool.ts";
import { createMessage } from "./message.ts";
import type { MessageOperations } from "./operations.ts";
import type { ChannelsOptions } from "./options.ts";
import { createMemorySendLog } from "./send-log.ts";

export interface MessagesOptions {
  /** The channels, by the name that models use. */
  readonly channels?: ChannelsOptions;
  /** The folder that attachments come from. @default none: messages have no files */
  readonly root?: string;
  /** The folder that `root` must stay in, also when something else takes its place. @default `root` itself, as it was at the beginning */
  readonly within?: string;
  /** Absolute paths of files that are treated as missing. @default none */
  readonly hidden?: readonly string[];
  /** Limits of outgoing requests. @default 20 seconds, 4 MiB */
  readonly fetch?: SafeFetchOptions;
  /** Every way out, one by one replaceable. @default the network, and a log that lives as long as the process */
  readonly operations?: Partial<MessageOperations>;
}

/** The tool `message`; no tool without channels. Throws CONFIG_INVALID for a channel that cannot be used. */
export function createMessageTools(options: MessagesOptions = {}): readonly ToolDefinition[] {
  const { channels = {} } = options;
  if (Object.keys(channels).length === 0) return [];
  checkChannels(channels);
  const operations: MessageOperations = {
    http: createHttp({ timeoutMs: 20_000, maxBytes: 4_194_304, ...options.fetch }),
    log: createMemorySendLog(),
    ...options.operations,
  };
  const { root, within, hidden } = options;
  if (root === undefined) return [createMessage(operations, channels)];
  const disk = createFileOperations({ root, ...(hidden && { hidden }), ...(within !== undefined && { within }) });
  const tool = underPathRules((files) => createMessage({ ...operations, files }, channels), disk);
  return [inWorkspace(tool, { root, files: disk })];
}

function checkChannels(channels: ChannelsOptions): void {
  for (const [name, options] of Object.entries(channels)) {
    if (options.type === "webhook") hostOf(options.url, `channels.${name}.url`);
    else if (options.type !== "email" && options.baseUrl !== undefined) hostOf(options.baseUrl, `channels.${name}.baseUrl`);
    else if (options.type === "email" && !/^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(options.from))
      throw new ToolError(
        "CONFIG_INVALID",
        `"from" of the channel "${name}" must be one e-mail address, not ${JSON.stringify(options.from)}.`,
      );
  }
}

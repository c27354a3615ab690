import type { HttpOperations } from "../operations/http.ts";
import type { Channel } from "./channels/channel.ts";
import { createDiscordChannel } from "./channels/discord.ts";
import { createEmailChannel } from "./channels/email.ts";
import { createSlackChannel } from "./channels/slack.ts";
import { createTelegramChannel } from "./channels/telegram.ts";
import { createWebhookChannel } from "./channels/webhook.ts";
import type { ChannelOptions } from "./options.ts";

/** The channel that options describe, with its secret. */
export async function openChannel(
  options: ChannelOptions,
  http: HttpOperations,
  secret: (name: string) => Promise<string>,
): Promise<Channel> {
  const token = options.secret === undefined ? undefined : await secret(options.secret);
  if (options.type === "email") return createEmailChannel(options, token);
  if (options.type === "webhook") return createWebhookChannel({ url: options.url, http }, token);
  const vendor = { url: options.baseUrl ?? usualAddresses[options.type], http };
  return services[options.type](vendor, token!);
}

const services = { slack: createSlackChannel, telegram: createTelegramChannel, discord: createDiscordChannel } as const;

const usualAddresses = {
  slack: "https://slack.com",
  telegram: "https://api.telegram.org",
  discord: "https://discord.com",
} as const;

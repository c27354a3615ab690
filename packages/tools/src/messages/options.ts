import type { MailServer } from "./channels/email.ts";

/** The channels of the tool, by the name that models use. */
export type ChannelsOptions = Readonly<Record<string, ChannelOptions>>;

export type ChannelOptions = Recipients & (ServiceChannelOptions | EmailChannelOptions | WebhookChannelOptions);

interface Recipients {
  /** To whom messages may go: exact names, "*@example.com" for every address of a domain, "*" for everybody. @default nobody */
  readonly recipients?: readonly string[];
}

export interface ServiceChannelOptions {
  readonly type: "slack" | "telegram" | "discord";
  /** The secret that holds the bot's token. */
  readonly secret: string;
  /** Another address with the same API, which may be a private one. @default the service's own */
  readonly baseUrl?: string;
}

export interface EmailChannelOptions extends MailServer {
  readonly type: "email";
  /** The secret that holds the password of `username`. */
  readonly secret?: string;
}

export interface WebhookChannelOptions {
  readonly type: "webhook";
  /** Where messages are posted, which may be a private address. */
  readonly url: string;
  /** The secret that is sent as `authorization: Bearer …`. @default none is sent */
  readonly secret?: string;
}

/** What each kind of channel can do besides sending. */
export const channelActions: Readonly<Record<ChannelOptions["type"], readonly ChannelAction[]>> = {
  slack: ["edit", "delete", "react", "read"],
  telegram: ["edit", "delete", "react", "poll", "thread-create"],
  discord: ["edit", "delete", "react", "read", "poll", "thread-create"],
  email: [],
  webhook: [],
};

export type ChannelAction = "edit" | "delete" | "react" | "read" | "poll" | "thread-create";

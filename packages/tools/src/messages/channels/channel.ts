/**
 * A place where people read messages.
 * Contract: a method that rejects has done nothing, unless it rejects with OUTCOME_UNKNOWN, which only `send` does. No error holds a secret.
 * Texts are plain: whatever a channel would read as markup or as a call to everybody reaches people as the characters that were written.
 */
export interface Channel {
  /** What kind of channel it is: "slack". */
  readonly id: string;
  /** The longest text that it takes. */
  readonly maxChars: number;
  /** How many files a message may have. @default none */
  readonly maxAttachments?: number;
  /** The longest text of a message with files. @default `maxChars` */
  readonly maxCaptionChars?: number;
  send(message: OutgoingMessage): Promise<SentMessage>;
  /** As uncertain as `send`. */
  poll?(poll: OutgoingPoll): Promise<SentMessage>;
  createThread?(thread: NewThread): Promise<{ readonly threadId: string }>;
  edit?(place: MessagePlace, text: string): Promise<void>;
  remove?(place: MessagePlace): Promise<void>;
  react?(place: MessagePlace, emoji: string): Promise<void>;
  /** The newest first. */
  read?(request: ReadRequest): Promise<readonly ReceivedMessage[]>;
}

export interface OutgoingMessage {
  readonly target: string;
  readonly text: string;
  readonly subject?: string | undefined;
  /** The message that it answers. */
  readonly replyTo?: string | undefined;
  /** The thread of the target that it goes to. */
  readonly threadId?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
  /** The same for every attempt to send this message. */
  readonly key: string;
  readonly signal: AbortSignal;
}

export interface Attachment {
  /** Without a folder: "report.pdf". */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface OutgoingPoll extends Pick<OutgoingMessage, "target" | "threadId" | "key" | "signal"> {
  readonly question: string;
  readonly options: readonly string[];
  /** Whether more than one option may be chosen. */
  readonly multiple: boolean;
}

export interface NewThread {
  readonly target: string;
  readonly name: string;
  /** The message that it begins with, where the channel has such threads. */
  readonly messageId?: string | undefined;
  readonly signal: AbortSignal;
}

export interface SentMessage {
  /** Absent where the channel gives none. */
  readonly messageId?: string;
}

export interface MessagePlace {
  readonly target: string;
  readonly messageId: string;
  readonly signal: AbortSignal;
}

export interface ReadRequest {
  readonly target: string;
  readonly limit: number;
  /** Only messages before this one. */
  readonly before?: string | undefined;
  readonly signal: AbortSignal;
}

export interface ReceivedMessage {
  readonly messageId: string;
  readonly author: string;
  readonly text: string;
  /** ISO 8601; empty where it is not known. */
  readonly sentAt: string;
}

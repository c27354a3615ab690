import type { IncomingMessage, ServerResponse } from "node:http";

// The servers by hand are plain JavaScript, because some of them run in a process of their own; this is what they offer.

export interface BrainOptions {
  readonly era?: "legacy" | "modern";
  readonly probe?: "error" | "exit" | "silent";
  readonly notify?: boolean;
  readonly anyTool?: boolean;
  readonly tools?: readonly unknown[];
}

export interface HttpServerOptions extends BrainOptions {
  /** Answers by JSON instead of a stream. */
  readonly json?: boolean;
  /** Deals with a request in its own way, and answers true. */
  before?(request: IncomingMessage, response: ServerResponse, body: string): boolean | undefined | void;
}

export interface HttpServer {
  readonly brain: Brain;
  readonly seen: { method: string; headers: Record<string, string | undefined>; body: string; url: string }[];
  readonly url: string;
  readonly host: string;
  listening(): number;
  close(): Promise<void>;
}

export interface Brain {
  readonly seen: { requests: Message[]; cancelled: unknown[]; answers: unknown[] };
  setTools(tools: readonly unknown[]): void;
}

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

import { createHash, randomUUID } from "node:crypto";
import { type Logger, ToolError } from "@toolrack/core";
import type { PageRequest, ResultPage, ResultPeers } from "@toolrack/mcp";
import type { RecordFeed } from "../store/records.ts";
import { createMessageSealer } from "./sealed-messages.ts";

export interface McpPagesOptions {
  readonly feed: RecordFeed;
  readonly sharedKey: Uint8Array;
  readonly log: Logger;
  /** How long to wait for another server. @default 5_000 */
  readonly waitMs?: number;
}

/**
 * Pages of long results that another server holds. A server that needs a page writes a record, the server with the result writes the page
 * into it, and the first one removes it. Reading a page on the server that holds it writes nothing.
 */
export function createMcpPages({ feed, sharedKey, log, waitMs = 5_000 }: McpPagesOptions): ResultPeers {
  const records = feed.of("toolrack.mcp-page.v1");
  const sealer = createMessageSealer(sharedKey);
  const waiting = new Map<string, (page: ResultPage | undefined) => void>();
  const onError = (error: unknown): void => log.error("A result page could not be sent to another server.", { error: String(error) });
  const answerLocation = (id: string): string => `${id} answer`;

  records.subscribe((id, record) => {
    const answer = record?.context["answer"];
    const text = typeof answer === "string" ? sealer.open(answerLocation(id), answer) : undefined;
    if (text !== undefined) waiting.get(id)?.((JSON.parse(text) as ResultPage | null) ?? undefined);
  });

  return {
    async ask(request) {
      const owner = createHash("sha256").update(request.principal).digest("base64url");
      const open = [...records.values()].filter(({ context }) => context["owner"] === owner).length;
      if (open >= maxPerOwner)
        throw new ToolError("QUEUE_FULL", `You are reading ${open} pages from other servers already. Read them one after another.`);
      const id = `mcp-page-${randomUUID()}`;
      let timer: NodeJS.Timeout | undefined;
      try {
        const answered = new Promise<ResultPage | undefined>((resolve) => {
          waiting.set(id, resolve);
          timer = setTimeout(() => resolve(undefined), waitMs).unref();
        });
        const context = { owner, question: sealer.seal(id, JSON.stringify(request)) };
        await records.create({ id, title: "A page that another server keeps", context, ttl: { afterMs: 6 * waitMs } });
        return await answered;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
        records.remove(id).catch(onError);
      }
    },
    serve: (answer) =>
      records.subscribe((id, record) => {
        const { question, answer: given } = record?.context ?? {};
        const text = typeof question === "string" && given === undefined ? sealer.open(id, question) : undefined;
        const page = text === undefined ? undefined : answer(JSON.parse(text) as PageRequest);
        if (page === undefined) return;
        const context = { ...record!.context, answer: sealer.seal(answerLocation(id), JSON.stringify(page)) };
        records.replace(record!, context, { afterMs: 6 * waitMs }).catch(onError);
      }),
  };
}

/** How many pages one caller may wait for. */
const maxPerOwner = 16;

import { startLoopback } from "@toolrack/testkit/loopback";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { onTestFinished } from "vitest";
import { type Ended, run, type RunOptions } from "./_run.ts";

/** "GET /tools" → what is answered; a `Refusal` is answered with its status. */
export type Script = Readonly<Record<string, unknown>>;

export class Refusal {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

/** A command, what it asked the server for, and what it printed. */
export interface Scripted extends Ended {
  /** "GET /tools?all=true", "PUT /secrets/a {"value":"b"}", in the order of the requests. */
  readonly asked: readonly string[];
}

/** Runs a command against a server that answers from a script, so that every answer of the API can be shown. */
export async function runScripted(words: readonly string[], script: Script, options: Partial<RunOptions> = {}): Promise<Scripted> {
  const server = await startLoopback(({ method, path }, response) => {
    const answer = script[`${method} ${path.replace("/api/v1", "")}`];
    const { status, body } = answer instanceof Refusal ? answer : { status: answer === undefined ? 404 : 200, body: answer ?? missing };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    // {} is for what answers nothing that is read: no server sends an object without fields.
    if (status === 200 && text === "{}") return void response.writeHead(204, { "toolrack-api": "1" }).end();
    response.writeHead(status, { "content-type": "application/json", "toolrack-api": "1" }).end(text);
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const ended = await run(words, {
    folder: temporaryFolder(),
    ...options,
    environment: { TOOLRACK_URL: server.url, ...options.environment },
  });
  const asked = server.seen.map(({ method, path, query, body }) => {
    const question = query.size === 0 ? "" : `?${decodeURIComponent(query.toString())}`;
    return `${method} ${path.replace("/api/v1", "")}${question}${body === "" ? "" : ` ${body}`}`;
  });
  return { ...ended, asked, output: ended.output.replaceAll(server.url, "<url>"), errors: ended.errors.replaceAll(server.url, "<url>") };
}

const missing = { status: 404, code: "RECORD_NOT_FOUND", detail: "There is nothing of this name." };

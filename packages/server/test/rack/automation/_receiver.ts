import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { eventMembers } from "../../../src/rack/automation/events/event.ts";
import { signatureFault } from "../../../src/rack/automation/hooks/signature.ts";

export interface Delivered {
  readonly id: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  /** What it says. */
  readonly message: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> };
}

export interface Receiver {
  readonly url: string;
  readonly host: string;
  /** Every request, also those that were refused. */
  readonly requests: Delivered[];
  /** What it did, by id: once for each. */
  readonly effects: Set<string>;
  /** The secrets that it knows. */
  secrets: string[];
}

/** The members of the data of what came that no event of its type has. */
export function oddMembers(requests: readonly Delivered[]): readonly string[] {
  return requests.flatMap(({ message: { type, data } }) =>
    Object.keys(data).filter((member) => !(eventMembers as Readonly<Record<string, readonly string[]>>)[type]!.includes(member)),
  );
}

/** A receiver of webhooks as its author would write it. `answer` decides over each request; by default it takes it. */
export async function startReceiver(
  answer: (count: number, response: ServerResponse) => number | undefined = () => 204,
): Promise<Receiver> {
  const requests: Delivered[] = [];
  const effects = new Set<string>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("error", () => undefined);
    request.on("end", () => {
      const body = Buffer.concat(parts);
      const id = String(request.headers["webhook-id"]);
      requests.push({ id, headers: request.headers, body, message: JSON.parse(body.toString()) as Delivered["message"] });
      const status = answer(requests.length, response);
      if (status === undefined) return;
      const signed = {
        id,
        timestamp: String(request.headers["webhook-timestamp"]),
        signature: String(request.headers["webhook-signature"]),
        body,
      };
      const fault = receiver.secrets.length === 0 ? undefined : signatureFault(signed, receiver.secrets, Number(signed.timestamp) * 1_000);
      if (status < 300 && fault === undefined) effects.add(id);
      response.writeHead(fault === undefined ? status : 401).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: Receiver = { url: `http://${host}/take`, host, requests, effects, secrets: [] };
  return receiver;
}

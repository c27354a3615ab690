import { onAbort } from "@toolrack/core/internal";
import { McpError } from "../../../errors.ts";
import type { RequestMessage } from "../../../wire/message.ts";
import { notificationMessage, resultMessage } from "../../../wire/reply.ts";
import { metaKeys } from "../../../wire/protocol.ts";
import type { Changes } from "../../changes/changes.ts";
import type { Results } from "../../results.ts";
import { readSubscription } from "../../changes/subscription.ts";
import { EventStream } from "./event-stream.ts";
import type { HttpAnswer, Visitor } from "../http.ts";
import type { Streams } from "./streams.ts";

/** `subscriptions/listen`: a stream that stays open and sends only the notifications that the client requested. */
export function listen(
  { changes, streams, results }: { readonly changes: Changes; readonly streams: Streams; readonly results: Results },
  { id, params }: RequestMessage,
  { caller, principal, isAnonymous, signal }: Visitor,
): HttpAnswer {
  const { wanted, ...wants } = readSubscription(params);
  const giveBack = streams.take(principal);
  if (giveBack === undefined) throw new McpError("internal", "Too many streams are open. Close one, then try again.");
  const tag = { [metaKeys.subscription]: id };
  const end = (): void => {
    stop();
    forget();
    giveBack();
  };
  const stream: EventStream = new EventStream({
    onDone: end,
    finalMessage: () => resultMessage(id, results.complete("modern", { _meta: tag })),
  });
  const tell = (method: string, fields?: object): void => stream.send(notificationMessage(method, { ...fields, _meta: tag }));
  tell("notifications/subscriptions/acknowledged", { notifications: wanted });
  const stop = changes.add({ caller, isAnonymous, ...wants, tell });
  streams.track(stream);
  const forget = onAbort(signal, () => stream.end());
  return { status: 200, stream };
}

import type { Answers } from "@toolrack/store";
import type { Rack } from "../../rack/rack.ts";
import type { SlotList } from "../../rack/util/slot-list.ts";
import type { AnsweredRequest } from "../../telemetry/log/log-requests.ts";
import type { Abortable } from "./abortable.ts";
import type { HttpRequest } from "../transport/exchange.ts";
import type { HeavyWork } from "../limits/heavy-work.ts";
import type { Limits } from "../limits/limits.ts";
import type { Rates } from "../limits/rates.ts";
import type { ConcurrencyLimit } from "../limits/concurrency.ts";
import type { ServerParts } from "./server-parts.ts";
import type { SignIn } from "../sign-in/sign-in.ts";
import type { Streams } from "../limits/streams.ts";

/** What all requests of an app share: sign-in, limits, the rack. Created once for an app. */
export interface RequestServices {
  readonly rack: Rack;
  readonly server: ServerParts;
  readonly signIn: (...request: Parameters<SignIn>) => ReturnType<SignIn>;
  readonly limits: Limits;
  readonly rates: Rates;
  readonly streams: Streams;
  /** Limits the concurrent requests of each caller. */
  readonly requests: ConcurrencyLimit;
  readonly heavy: HeavyWork;
  /** The stored first answers of requests with an Idempotency-Key. */
  readonly answers: Answers;
  /** Running requests that listen for an abort; aborted when the server closes. */
  readonly open: SlotList<Abortable>;
  /** Streams without an end of their own; aborted as soon as the server begins to close. */
  readonly feeds: SlotList<Abortable>;
  /** Counts and logs an answered request. */
  readonly note: (request: AnsweredRequest) => void;
  /** Of `server.publicUrl`: "https://tools.example.com". */
  readonly publicOrigin?: string | undefined;
  /** Whether answers are validated against their schemas; for tests. */
  readonly checkAnswers: boolean;
}

/** One request, matched to its route. */
export interface MatchedRequest {
  readonly request: HttpRequest;
  /** Of the path, not decoded. */
  readonly params: Readonly<Record<string, string>>;
}

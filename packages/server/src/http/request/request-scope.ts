import type { Answers } from "@toolrack/store";
import type { Rack } from "../../rack/rack.ts";
import type { Roster } from "../../rack/util/slot-list.ts";
import type { AnsweredRequest } from "../../telemetry/log/log-requests.ts";
import type { Abortable } from "./abortable.ts";
import type { HttpRequest } from "../transport/exchange.ts";
import type { HeavyWork } from "../limits/heavy-work.ts";
import type { Limits } from "../limits/limits.ts";
import type { Rates } from "../limits/rates.ts";
import type { Seats } from "../limits/seats.ts";
import type { ServerParts } from "./server-parts.ts";
import type { SignIn } from "../sign-in/sign-in.ts";
import type { Streams } from "../limits/streams.ts";

/** What every request passes on its way to a route, made once for an app. */
export interface Door {
  readonly rack: Rack;
  readonly server: ServerParts;
  readonly signIn: (...request: Parameters<SignIn>) => ReturnType<SignIn>;
  readonly limits: Limits;
  readonly rates: Rates;
  readonly streams: Streams;
  /** Requests of each caller that are being worked on. */
  readonly requests: Seats;
  readonly heavy: HeavyWork;
  /** First answers to those who send an Idempotency-Key. */
  readonly answers: Answers;
  /** Requests under way that want to know when they are over; aborted when the server closes. */
  readonly open: Roster<Abortable>;
  /** Streams that have no end of their own; aborted as soon as the server begins to close. */
  readonly feeds: Roster<Abortable>;
  /** Counts a request that was answered, and tells the log of it. */
  readonly note: (request: AnsweredRequest) => void;
  /** Whether answers are held against their schemas, for tests. */
  readonly checkAnswers: boolean;
}

/** One request, matched to its route. */
export interface Arrived {
  readonly request: HttpRequest;
  /** Of the path, not decoded. */
  readonly params: Readonly<Record<string, string>>;
}

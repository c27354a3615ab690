import type { Issue } from "@toolrack/json-schema";

/** The error of a request as RFC 9457 problem details; `detail` names the thing, the fact and the next step. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** One of the codes of the reference page. */
  readonly code: string;
  /** The tool that the request was about. */
  readonly tool?: string;
  /** The errors of each input field. */
  readonly issues?: readonly Issue[];
  readonly callId?: string;
  /** The same request may succeed later. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
}

export interface ProblemOptions {
  readonly tool?: string;
  readonly issues?: readonly Issue[];
  readonly callId?: string;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown by a route (or anything it calls) to answer with a problem. */
export class Problem extends Error {
  override readonly name: string = "Problem";
  readonly status: number;
  readonly code: string;
  readonly options: ProblemOptions;

  constructor(status: number, code: string, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.options = options;
  }

  toBody(): ProblemBody {
    const { headers: _, ...facts } = this.options;
    const title = this.code.toLowerCase().replaceAll("_", " ");
    const detail = this.message.length > maxDetail ? `${this.message.slice(0, maxDetail)}…` : this.message;
    return { type: `urn:toolrack:problem:${this.code}`, title, status: this.status, detail, code: this.code, ...facts };
  }
}

/** More than any text that people write about an error: beyond, it repeats what was sent. */
const maxDetail = 65_536;

import { createHash, randomBytes } from "node:crypto";
import { canonicalJson, isObject } from "@toolrack/core/internal";
import { McpError } from "../../errors.ts";
import type { JsonObject } from "../../wire/protocol.ts";
import type { OnceLedger } from "./once-ledger.ts";
import type { Signer } from "../signer.ts";

/** The state that is sent to a client with a question, and that it returns with the answer. */
export interface RequestState {
  /** The questions that went out with it. */
  readonly asked: readonly string[];
  /** What was answered in earlier rounds, by question. */
  readonly answers: Readonly<JsonObject>;
}

/** To which request a state belongs: the same method, name and arguments of the same principal. */
export interface StateSubject {
  readonly method: string;
  readonly name: string;
  readonly input: unknown;
  readonly principal: string;
}

export interface RequestStates {
  seal(subject: StateSubject, state: RequestState): string;
  /** Good for one use. Throws an McpError for a state that was changed, expired, used, or belongs to another request. */
  open(subject: StateSubject, sealed: string): Promise<RequestState>;
}

export interface RequestStateOptions {
  readonly signer: Signer;
  readonly ledger: OnceLedger;
  readonly maxAgeMs: number;
}

export function createRequestStates({ signer, ledger, maxAgeMs }: RequestStateOptions): RequestStates {
  return {
    seal(subject, { asked, answers }) {
      const id = randomBytes(16).toString("base64url");
      const expiresAt = Date.now() + maxAgeMs;
      return signer.seal(purpose, JSON.stringify({ id, expiresAt, subject: digest(subject), asked, answers }));
    },
    async open(subject, sealed) {
      const payload = sealed.length > maxLength ? undefined : signer.open(purpose, sealed);
      if (payload === undefined) throw refused("was changed, or comes from another server");
      const state = JSON.parse(payload) as RequestState & { id: string; expiresAt: number; subject: string };
      if (state.subject !== digest(subject)) throw refused("belongs to another request: caller, tool and arguments must be the same");
      if (state.expiresAt <= Date.now()) throw refused("has expired");
      if (!(await ledger.claim(state.id, state.expiresAt))) throw refused("was used before, and is good for one use");
      return { asked: state.asked, answers: isObject(state.answers) ? state.answers : {} };
    },
  };
}

const purpose = "request-state";
/** A state holds answers of a person, so it is never as large as a document. */
const maxLength = 256 * 1024;

function digest({ method, name, input, principal }: StateSubject): string {
  return createHash("sha256")
    .update(canonicalJson([method, name, principal, input]))
    .digest("base64url");
}

function refused(fact: string): McpError {
  return new McpError("invalidParams", `The requestState ${fact}. Make the call again without it.`);
}

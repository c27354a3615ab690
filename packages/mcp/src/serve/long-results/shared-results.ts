import { randomBytes } from "node:crypto";
import { createResultHandles, type HandleOptions, type ResultHandles, type ResultPage } from "./result-handles.ts";
import type { Signer } from "../signer.ts";

/** A page of a long result, as servers request it from each other. */
export interface PageRequest {
  readonly principal: string;
  readonly id: string;
  readonly page: number;
}

/** How the servers of a deployment get pages of long results from the server that holds them. */
export interface ResultPeers {
  /** Undefined: no server has it, or none answers in time. */
  ask(request: PageRequest): Promise<ResultPage | undefined>;
  /** Answers the others, until the function that it returns is called: null where the page is gone, undefined where another server has it. */
  serve(answer: (request: PageRequest) => ResultPage | null | undefined): () => void;
}

/** Reads pages, whichever server has them. */
export interface PageReader {
  read(principal: string, id: string, page: number): ResultPage | undefined | Promise<ResultPage | undefined>;
}

export interface SharedResultsOptions extends Omit<HandleOptions, "makeId"> {
  readonly signer: Signer;
  /** @default no other servers */
  readonly peers?: ResultPeers | undefined;
}

/** Ids of results are signed for their principal and name their server: an invented one causes no request to another server. */
export function createSharedResults({ signer, peers, ...options }: SharedResultsOptions): {
  readonly handles: ResultHandles;
  readonly pages: PageReader;
  close(): void;
} {
  const self = randomBytes(6).toString("base64url");
  const purposeFor = (principal: string): string => `result of ${principal}`;
  const makeId = (principal: string): string => signer.seal(purposeFor(principal), `${self} ${randomBytes(18).toString("base64url")}`);
  const handles = createResultHandles({ ...options, makeId });

  /** Which server made it; undefined for an id that none made for this principal. */
  function makerOf(principal: string, id: string): "this" | "another" | undefined {
    const payload = id.length > 256 ? undefined : signer.open(purposeFor(principal), id);
    if (payload === undefined) return undefined;
    return payload.startsWith(`${self} `) ? "this" : "another";
  }

  const stop = peers?.serve(({ principal, id, page }) => {
    return makerOf(principal, id) === "this" ? (handles.read(principal, id, page) ?? null) : undefined;
  });

  return {
    handles,
    pages: {
      read(principal, id, page) {
        if (peers === undefined || makerOf(principal, id) !== "another") return handles.read(principal, id, page);
        return peers.ask({ principal, id, page });
      },
    },
    close: () => stop?.(),
  };
}

import { shellWord } from "@toolrack/core/internal/shell-word";
import type { Logger } from "@toolrack/core";
import type { JsonObject } from "@toolrack/store";
import type { WriteAudit } from "../audit/audit.ts";
import { agentOf, type Author } from "../audit/author.ts";
import type { Records } from "../store/records.ts";
import { changedParts, isSameProgram, type ProgramParts } from "./program-identity.ts";

/** What a source would start now. */
export interface StartIdentity {
  readonly identity: string;
  /** Of a program. */
  readonly parts?: ProgramParts;
  /** The identity that an older version gave to the same program. */
  readonly former?: string;
}

/** Which sources may be started: as the file has them when they are first seen, else as a person approved them. */
export interface SourceApprovals {
  /** Answers the identity that overlays, grants and definitions of the source are bound to; undefined: it waits for a person. */
  allow(id: string, now: StartIdentity, origin: string): Promise<string | undefined>;
  /** Why it waits; undefined if it may be started. */
  waitsBecause(id: string, now: StartIdentity): string | undefined;
  approve(id: string, now: StartIdentity, by: Author): Promise<void>;
  /** It was approved together with the file: the next `allow` pins it. */
  agree(id: string, now: StartIdentity, by: Author): void;
}

export interface SourceApprovalsOptions {
  readonly pins: Records;
  readonly audit: WriteAudit;
  readonly log: Logger;
  now(): number;
}

/** What is stored of an approval. */
interface Pin {
  readonly source: string;
  /**
   * What records are bound to. It stays the same while only the content of the program's files changes, and where an approval of an older version
   * goes on.
   */
  readonly identity: string;
  /** The identity of the program that was approved; absent in approvals of older versions, and of sources that are no program. */
  readonly program?: string;
  readonly parts?: ProgramParts;
  readonly by: string;
  readonly byPerson: boolean;
  readonly at: number;
}

export function createSourceApprovals({ pins, audit, log, now: time }: SourceApprovalsOptions): SourceApprovals {
  /** Identities that wait for approval and were logged. */
  const logged = new Map<string, string>();
  /** Identities that were approved together with the file, until they are pinned. */
  const agreed = new Map<string, { readonly identity: string; readonly by: Author }>();

  const pinOf = (id: string): Pin | undefined => pins.get(pinId(id))?.context as Pin | undefined;

  async function write(pin: Pin, by: Author): Promise<void> {
    await pins.write({ id: pinId(pin.source), title: `Command of ${pin.source}`, context: pin as unknown as JsonObject });
    await audit({ kind: "source-approved", subject: pin.source, by, body: { identity: pin.program ?? pin.identity } });
  }

  /** `byPerson`: somebody agreed to it, and not the file alone. */
  async function approve(id: string, { identity, parts }: StartIdentity, by: Author, byPerson: boolean): Promise<string> {
    const before = pinOf(id);
    const isSame = before?.parts !== undefined && parts !== undefined && isSameProgram(before.parts, parts);
    const bound = isSame ? before.identity : identity;
    const program = parts === undefined ? {} : { program: identity, parts };
    await write({ source: id, identity: bound, ...program, by: agentOf(by), byPerson, at: time() }, by);
    return bound;
  }

  /** An approval of an older version, which did not know files, goes on for exactly what it was given for. */
  async function takeOver(pin: Pin, { identity, parts }: StartIdentity): Promise<string> {
    await write({ ...pin, program: identity, ...(parts !== undefined && { parts }) }, pin.by);
    log.info("The approval of a source by an older version counts for its program as it is now, with its files.", { source: pin.source });
    return pin.identity;
  }

  function waitsBecause(id: string, now: StartIdentity): string | undefined {
    const pin = pinOf(id);
    if (pin === undefined) return "Nobody has approved what it starts.";
    if (isPinned(pin, now)) return undefined;
    if (now.parts === undefined) return "It was approved with another type or other options.";
    if (pin.parts === undefined)
      return "It was approved by an older version of Toolrack, with another command, other arguments or variables, or in another folder.";
    const changed = changedParts(pin.parts, now.parts);
    return `Since it was approved, this has changed: ${changed.slice(0, 10).join(", ")}${changed.length > 10 ? ", and more" : ""}.`;
  }

  return {
    async allow(id, now, origin) {
      const pin = pinOf(id);
      if (pin !== undefined && isPinned(pin, now)) return pin.identity;
      if (pin !== undefined && isFormer(pin, now)) return takeOver(pin, now);
      const isFirst = pin === undefined && !origin.startsWith("record ");
      const by = agreed.get(id)?.identity === now.identity ? agreed.get(id)!.by : isFirst ? origin : undefined;
      agreed.delete(id);
      if (by !== undefined) return approve(id, now, by, by !== origin);
      if (logged.get(id) === now.identity) return undefined;
      logged.set(id, now.identity);
      log.warn(
        `The source "${id}" waits for approval, so its tools cannot be called. ${waitsBecause(id, now)!} Look at what it starts, and approve it, with: toolrack sources approve ${shellWord(id)}`,
        { source: id },
      );
      return undefined;
    },
    waitsBecause: (id, now) => {
      const pin = pinOf(id);
      return pin !== undefined && isFormer(pin, now) ? undefined : waitsBecause(id, now);
    },
    async approve(id, now, by) {
      await approve(id, now, by, true);
    },
    agree: (id, { identity }, by) => void agreed.set(id, { identity, by }),
  };
}

function isPinned({ identity, program }: Pin, now: StartIdentity): boolean {
  return now.parts === undefined ? identity === now.identity : program === now.identity;
}

function isFormer({ identity, program }: Pin, { former }: StartIdentity): boolean {
  return program === undefined && former !== undefined && identity === former;
}

function pinId(id: string): string {
  return `source-pin-${id}`;
}

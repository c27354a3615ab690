import { randomBytes } from "node:crypto";
import type { Note } from "../engines/_notes.ts";
import type { RunningCall } from "./call-body.ts";
import { toRunningText } from "./call-text.ts";
import type { OpenCall, Slip } from "./open-calls.ts";

/** What has to be written so that exactly the calls that run are noted. */
export interface SlipChange {
  readonly saved: readonly Note[];
  /** Names. */
  readonly removed: readonly string[];
  /** To be called where it was not written: calls that ended then still run. */
  undo(): void;
}

/** Keeps the slips of one log. */
export function createSlips(owner: string, holder: string): (begun: readonly OpenCall[], ended: Iterable<OpenCall>) => SlipChange {
  const prefix = randomBytes(12).toString("base64url");
  let count = 0;

  function distribute(calls: readonly OpenCall[]): Slip[] {
    const slips: Slip[] = [];
    let left = 0;
    for (const call of calls) {
      const size = call.caller.length + (call.input?.length ?? 0);
      if (left < size || slips.at(-1)!.calls.size >= mostCalls) {
        slips.push({ name: `${prefix}-${count++}`, calls: new Set() });
        left = mostCharacters;
      }
      left -= size;
      call.slip = slips.at(-1)!;
      call.slip.calls.add(call);
    }
    return slips;
  }

  return (begun, ended) => {
    const gone: OpenCall[] = [];
    const touched = new Set<Slip>();
    for (const call of ended) {
      if (call.slip?.calls.delete(call) !== true) continue;
      gone.push(call);
      touched.add(call.slip);
    }
    const removed = [...touched].filter(({ calls }) => calls.size === 0).map(({ name }) => name);
    const saved = [...[...touched].filter(({ calls }) => calls.size > 0), ...distribute(begun)];
    return {
      removed,
      saved: saved.map(({ name, calls }) => {
        const body = `[${Array.from(calls, toRunningText).join()}]`;
        return { owner, kind: "running", name, holder, endsAt: undefined, body };
      }),
      undo() {
        for (const call of gone) call.slip!.calls.add(call);
      },
    };
  };
}

/** A slip is written anew when one of its calls ends and others run on, so it must not be large. */
const mostCalls = 16;
const mostCharacters = 4_096;

/** Older logs have a note for each call. */
export function toRunningCalls({ holder, body }: Note): readonly RunningCall[] {
  const calls = JSON.parse(body) as Omit<RunningCall, "server"> | readonly Omit<RunningCall, "server">[];
  return (Array.isArray(calls) ? calls : [calls]).map((call: Omit<RunningCall, "server">) => ({ ...call, server: holder }));
}

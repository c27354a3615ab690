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

/** Keeps the slips of one log. Calls that begin and end at once leave no trace of their running. */
export function createSlips(owner: string, holder: string): (begun: readonly OpenCall[], ended: readonly OpenCall[]) => SlipChange {
  const prefix = randomBytes(12).toString("base64url");
  let count = 0;

  function distribute(calls: readonly OpenCall[]): Slip[] {
    const slips: Slip[] = [];
    let group: OpenCall[] = [];
    let left = 0;
    for (const call of calls) {
      const size = call.text!.caller.length + (call.text!.input?.length ?? 0);
      if (left < size || group.length >= mostCalls) {
        slips.push({ name: `${prefix}-${count++}`, calls: (group = []), running: 0 });
        left = mostCharacters;
      }
      left -= size;
      group.push(call);
      call.slip = slips.at(-1)!;
      call.slip.running += 1;
    }
    return slips;
  }

  function toNote({ name, calls }: Slip): Note {
    const texts = calls.filter(({ isOver }) => !isOver).map(({ text }) => toRunningText(text!));
    return { owner, kind: "running", name, holder, endsAt: undefined, body: `[${texts.join()}]` };
  }

  return (begun, ended) => {
    const touched = new Set<Slip>();
    for (const call of ended) {
      call.isOver = true;
      if (call.slip === undefined) continue;
      call.slip.running -= 1;
      touched.add(call.slip);
    }
    const before = [...touched];
    const saved = [...before.filter(({ running }) => running > 0), ...distribute(begun.filter(({ isOver }) => !isOver))];
    return {
      removed: before.filter(({ running }) => running === 0).map(({ name }) => name),
      saved: saved.map(toNote),
      undo() {
        for (const call of ended) {
          call.isOver = false;
          if (call.slip !== undefined) call.slip.running += 1;
        }
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

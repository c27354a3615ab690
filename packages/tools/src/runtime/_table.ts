import { randomBytes } from "node:crypto";
import { type Caller, ToolError, ToolInputError } from "@toolrack/core";
import type { ProcessCommand, ProcessEnd, ProcessOperations, StartedProcess } from "../operations/processes.ts";
import { defaultLogChars } from "../workspace/command.ts";
import { createTextLog, type TextLog } from "../workspace/text-log.ts";

/** One program that was started, running or ended, with its output. */
export interface ProcessRecord {
  /** Known only to the caller that started it. */
  readonly handle: string;
  /** What was run, for people. */
  readonly label: string;
  readonly isBackground: boolean;
  readonly started: StartedProcess;
  readonly stdout: TextLog;
  readonly stderr: TextLog;
  /** Undefined while it runs. */
  readonly end: ProcessEnd | undefined;
  /** The position at which the next poll of each stream continues. */
  readonly polled: { stdout: number; stderr: number };
  /** Resolves at the next output, and at the end. */
  change(): Promise<void>;
}

/** The programs of all callers. Each caller sees its own. */
export interface ProcessTable {
  start(command: StartCommand, caller: Caller): Promise<ProcessRecord>;
  /** Throws for an unknown handle, and for one of another caller. */
  get(handle: string, caller: Caller): ProcessRecord;
  list(caller: Caller): readonly ProcessRecord[];
  /** Ends the programs of callers who may do nothing any more. */
  endOf(isOver: (caller: Caller) => boolean): void;
  /** Nothing of it is needed any more. */
  forget(record: ProcessRecord): void;
}

export type StartCommand = Omit<ProcessCommand, "onOutput"> & { readonly label: string };

export interface ProcessTableOptions {
  readonly processes: ProcessOperations;
  readonly maxRunning: number;
  /** A background program that runs longer is ended. */
  readonly maxBackgroundMs: number;
}

/** How many ended programs of all callers have their output stored; the oldest are dropped first. */
const maxEnded = 32;

export function createProcessTable({ processes, maxRunning, maxBackgroundMs }: ProcessTableOptions): ProcessTable {
  const records = new Map<string, { readonly record: ProcessRecord; readonly owner: string; readonly caller: Caller }>();
  const count = (isWanted: (record: ProcessRecord) => boolean): number =>
    [...records.values()].filter(({ record }) => isWanted(record)).length;

  return {
    async start(command, caller) {
      if (count(({ end, isBackground }) => end === undefined && isBackground) >= maxRunning && command.isBackground) {
        throw new ToolError("QUEUE_FULL", `${maxRunning} background programs already run. End one of them with process, action kill.`);
      }
      const record = await startRecord(processes, command);
      if (record.isBackground) endAfter(record.started, maxBackgroundMs);
      records.set(record.handle, { record, owner: ownerOf(caller), caller });
      for (const [handle, { record: old }] of records) {
        if (count(({ end }) => end !== undefined) <= maxEnded) break;
        if (old.end !== undefined) records.delete(handle);
      }
      return record;
    },
    get(handle, caller) {
      const found = records.get(handle);
      if (found !== undefined && found.owner === ownerOf(caller)) return found.record;
      throw new ToolInputError(
        `There is no program with the handle ${JSON.stringify(handle.slice(0, 60))}. Use action list to see the existing handles.`,
      );
    },
    list: (caller) => [...records.values()].filter(({ owner }) => owner === ownerOf(caller)).map(({ record }) => record),
    endOf(isOver) {
      for (const { record, caller } of records.values()) if (record.end === undefined && isOver(caller)) void record.started.stop();
    },
    forget: (record) => void records.delete(record.handle),
  };
}

/** Callers that differ in any of these share nothing. */
function ownerOf({ tenant, principal, agent, session, sender }: Caller): string {
  return JSON.stringify([tenant, principal, agent, session, sender]);
}

function endAfter(started: StartedProcess, ms: number): void {
  const timer = setTimeout(() => void started.stop(), ms);
  timer.unref();
  void started.ended.then(() => clearTimeout(timer));
}

async function startRecord(processes: ProcessOperations, command: StartCommand): Promise<ProcessRecord> {
  const { label, ...rest } = command;
  const logs = { stdout: createTextLog(defaultLogChars), stderr: createTextLog(defaultLogChars) };
  let end: ProcessEnd | undefined;
  let wake = (): void => {};
  let next = new Promise<void>((resolve) => (wake = resolve));
  const tell = (): void => {
    wake();
    next = new Promise((resolve) => (wake = resolve));
  };
  const started = await processes.start({
    ...rest,
    onOutput(stream, bytes) {
      logs[stream].append(bytes);
      tell();
    },
  });
  void started.ended.then((ended) => {
    for (const log of Object.values(logs)) log.end();
    end = ended;
    tell();
  });
  return {
    handle: randomBytes(16).toString("base64url"),
    label,
    isBackground: command.isBackground === true,
    started,
    ...logs,
    get end() {
      return end;
    },
    polled: { stdout: 0, stderr: 0 },
    change: () => next,
  };
}

import type { CallStart, Logger, Recorder } from "@toolrack/core";
import { withCause } from "@toolrack/core/internal";
import {
  type BreadcrumbStore,
  type CallLog,
  createCallLog,
  type EndBacklogEvent,
  listAudit,
  type RedactionOptions,
  type ServerLease,
  StoreError,
} from "@toolrack/store";
import type { AuditConfig } from "../../config/config.ts";
import type { WriteAudit } from "../audit/audit.ts";
import { createOutage } from "../util/outage.ts";

/** Calls that are missing in the audit log. Counts of this server since its start; all but `kept` only increase. */
export interface RecordingCounts {
  /** Calls that did not run, because their start could not be recorded. */
  readonly refused: number;
  /** Calls that ran although their start could not be recorded, with `audit.onFailure: warn`. */
  readonly unrecorded: number;
  /** Ends of calls that wait until the store accepts them. */
  readonly kept: number;
  /** Ends of calls that were lost because the buffer was full. */
  readonly dropped: number;
}

export interface Recording {
  readonly counts: RecordingCounts;
  /** What is missing in the audit log: known to this server, or recorded in the log by any server, after an entry if one is given. */
  missing(after?: number): Promise<MissingCalls>;
}

export interface MissingCalls {
  /** Ends that this server still has to write. */
  readonly kept: number;
  /** Calls that ran without their start being recorded, and calls whose end was lost. */
  readonly unrecorded: number;
}

export interface RecordingOptions {
  readonly store: BreadcrumbStore;
  /** The lease of this server. */
  readonly server: ServerLease;
  readonly config: AuditConfig;
  readonly redaction: RedactionOptions;
  readonly upstreamOf: (tool: string) => string | undefined;
  /** The folder that holds ends of calls while the store does not accept them; absent if nothing is stored on disk. */
  readonly folder: string | undefined;
  readonly log: Logger;
  readonly audit: WriteAudit;
  /** Called with the reason when the start of a call could not be recorded. */
  onFailed(error: unknown): void;
  now(): number;
}

/** The log of calls, and the recorder of this server, which refuses calls that it cannot record unless the configuration allows them. */
export function openRecording(options: RecordingOptions): Recording & {
  readonly calls: CallLog;
  readonly recorder: Recorder;
  close(): Promise<void>;
} {
  const { store, server, config, redaction, upstreamOf, folder, log, audit, onFailed, now } = options;
  const onEvent = (event: EndBacklogEvent): void => {
    tell(event, log);
    if (event.type === "dropped") noteGap("dropped");
    else if (event.type === "written") writeGap();
  };
  const calls = createCallLog(store, { server, redaction, upstreamOf, endBacklog: { onEvent, ...(folder !== undefined && { folder }) } });
  const begin = calls.begin!;
  const outage = createOutage({
    log,
    level: "error",
    failed: "Calls run although their start cannot be recorded.",
    worked: "The starts of calls are recorded again.",
  });
  let refused = 0;
  let unrecorded = 0;
  /** What is not in the audit log yet. */
  let gap: Gap | undefined;
  let writing: Promise<void> | undefined;

  function noteGap(kind: "unrecorded" | "dropped"): void {
    const at = now();
    gap ??= { unrecorded: 0, dropped: 0, from: at, to: at };
    gap = { ...gap, [kind]: gap[kind] + 1, to: at };
  }

  /** Records in the audit log what is missing in it. */
  function writeGap(): void {
    const told = gap;
    if (told === undefined || writing !== undefined) return;
    writing = audit({ kind: gapKind, subject: server.name, by: "server", body: told }).then(
      () => {
        writing = undefined;
        if (gap === undefined) return;
        const left = { ...gap, unrecorded: gap.unrecorded - told.unrecorded, dropped: gap.dropped - told.dropped, from: told.to };
        gap = left.unrecorded + left.dropped > 0 ? left : undefined;
      },
      () => void (writing = undefined),
    );
  }

  async function beginOrRefuse(call: CallStart): Promise<void> {
    try {
      await begin(call);
    } catch (error) {
      refused += 1;
      onFailed(error);
      throw error;
    }
    if (gap !== undefined) writeGap();
  }

  async function beginOrWarn(call: CallStart): Promise<void> {
    try {
      await begin(call);
      outage.worked();
      if (gap !== undefined) writeGap();
    } catch (error) {
      // Not an outage, which ends, but a wrong key: a call that runs could never be recorded.
      if (StoreError.is(error) && error.code === "AUDIT_LOCKED") {
        refused += 1;
        throw error;
      }
      unrecorded += 1;
      onFailed(error);
      noteGap("unrecorded");
      outage.failed(error);
    }
  }

  if (config.onFailure === "warn") log.warn("Calls run even if they cannot be recorded: audit.onFailure is warn.");
  return {
    calls,
    recorder: { begin: config.onFailure === "warn" ? beginOrWarn : beginOrRefuse, record: (record) => calls.record(record) },
    counts: {
      get refused() {
        return refused;
      },
      get unrecorded() {
        return unrecorded;
      },
      get kept() {
        return calls.missing.kept;
      },
      get dropped() {
        return calls.missing.dropped;
      },
    },
    async missing(after = 0) {
      const lines = await listAudit(store, { kinds: [gapKind], after, limit: 1_000 });
      const told = lines.map(({ body }) => body as Gap).reduce((sum, one) => sum + one.unrecorded + one.dropped, 0);
      return { kept: calls.missing.kept, unrecorded: told + (gap === undefined ? 0 : gap.unrecorded + gap.dropped) };
    },
    async close() {
      await calls.flush();
      writeGap();
      await writing;
      if (calls.missing.kept > 0)
        log.error("Ends of calls could not be written. What is on disk is written at the next start.", {
          ends: calls.missing.kept,
          folder,
        });
    },
  };
}

interface Gap {
  readonly unrecorded: number;
  readonly dropped: number;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

const gapKind = "calls-unrecorded";

function tell(event: EndBacklogEvent, log: Logger): void {
  const contradicted = event.type === "written" || event.type === "recovered" ? event.contradicted : [];
  if (contradicted.length > 0)
    log.error(
      "Finished calls were recorded as aborted, because their server had not reported for too long. Their real ends were not added.",
      {
        calls: contradicted.length,
        callIds: contradicted.slice(0, 20),
      },
    );
  switch (event.type) {
    case "kept":
      return log.error("The store does not accept the ends of calls. They are buffered, and written when the store works again.", {
        error: withCause(event.error),
      });
    case "written":
      return log.info("The buffered ends of calls were written to the audit log.", { ends: event.ends });
    case "dropped":
      return log.error("The end of a call was lost: the buffer is full.", { callId: event.callId });
    case "file-failed":
      return log.error("Ends of calls are buffered in memory only, because their file cannot be written. A crash would lose them.", {
        error: withCause(event.error),
      });
    case "recovered":
      if (event.ends > 0) log.info("Buffered ends of calls of a server were written.", { ofServer: event.server, ends: event.ends });
      if (event.unreadable > 0)
        log.error(
          "Some buffered ends of calls cannot be read, or were not written by a server with the key of this audit log. They were not added.",
          {
            ofServer: event.server,
            lines: event.unreadable,
          },
        );
  }
}

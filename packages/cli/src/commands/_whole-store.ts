import { shellWord } from "@toolrack/core/internal/shell-word";
import { CommandError, type ExitReason } from "../errors.ts";
import { counted } from "../print/counted.ts";
import { safe } from "../print/safe.ts";
import type { Command, CommandInput } from "./command.ts";

/** Shared by backup, restore and copy: they work on the store itself, while servers use it. */
export const keyFileOption = {
  flags: "--key-file <file>",
  description: "file with the master key of the store, if it is neither in the environment nor next to the store",
};

export const restoreOptions: NonNullable<Command["options"]> = [
  keyFileOption,
  { flags: "--without-secrets", description: "restore without the master key: secrets must be set again, and the audit is not verified" },
  { flags: "--check", description: "verify the backup without writing anything" },
];

interface Counts {
  readonly change: number;
  readonly head: number;
  readonly audit: number;
  readonly secret: number;
  readonly answer: number;
}

interface Audit {
  readonly ok: boolean;
  readonly rows?: number;
  readonly reason?: string;
}

export async function backUp(input: CommandInput, file: string): Promise<void> {
  const { terminal } = input;
  const report = await orFail(async () => {
    const { backUpTo } = await import("@toolrack/server/local");
    return backUpTo(file, toOptions(input, "Backing up"));
  });
  const { counts, ends, running, bytes, createdAt } = report;
  terminal.answer({ file: report.file, bytes, createdAt, sequence: ends.sequence, counts, running }, () =>
    [
      `${terminal.style.good("Backed up")} ${safe(report.place)} to ${safe(report.file)}: ${countsOf(counts)}.`,
      `It contains everything up to change ${ends.sequence} and audit line ${ends.audit.last.number}.`,
      ...runningLine(running),
      "Secrets are encrypted with the master key, which is not in the file: keep a copy of that key elsewhere.",
      `Verify it with: toolrack restore --check ${shellWord(safe(file))}`,
    ].join("\n"),
  );
}

export async function restoreBackup(input: CommandInput, file: string): Promise<ExitReason> {
  const { terminal, options } = input;
  const { style } = terminal;
  const withoutSecrets = options["withoutSecrets"] === true;
  const checkOnly = options["check"] === true;
  const report = await orFail(async () => {
    const { restoreFrom } = await import("@toolrack/server/local");
    return restoreFrom(file, { ...toOptions(input, "Restoring"), withoutSecrets, checkOnly });
  });
  const { counts, createdAt, ends, isSealed, place, running, unreadableAuditKeys } = report;
  const origin = isSealed
    ? "Its seal is valid: it was made with this master key and has not been changed since."
    : style.warn("Only its digest was checked, which anyone can compute: without the master key, its origin cannot be verified.");
  if (!("leftOut" in report)) {
    terminal.answer({ file, check: true, createdAt, sequence: ends.sequence, counts, isSealed }, () =>
      [`${style.good("Backup intact:")} ${countsOf(counts)}, of ${createdAt}.`, origin, "Nothing was written."].join("\n"),
    );
    return "ok";
  }
  const { audit, leftOut, rewrapped } = report;
  terminal.answer({ file, createdAt, sequence: ends.sequence, counts, isSealed, leftOut, rewrapped, running, audit: audit ?? null }, () =>
    [
      `${style.good("Restored")} ${countsOf(counts)} of ${createdAt} into ${safe(place)}.`,
      origin,
      auditLine(audit, terminal),
      ...(unreadableAuditKeys.length > 0
        ? [
            style.warn(
              `Audit lines signed with the keys ${unreadableAuditKeys.map(safe).join(", ")} cannot be verified with this master key.`,
            ),
          ]
        : []),
      ...(rewrapped > 0 ? [`${secretsWere(rewrapped)} re-encrypted with another master key.`] : []),
      ...(leftOut > 0 ? [style.warn(`${secretsWere(leftOut)} skipped. Set each of them again with: toolrack secrets set <name>`)] : []),
      ...runningLine(running),
    ].join("\n"),
  );
  return audit?.ok === false ? "failed" : "ok";
}

export async function copyData(input: CommandInput, from: string, to: string): Promise<ExitReason> {
  const { terminal, options } = input;
  const { style } = terminal;
  const toKeyFile = options["toKeyFile"];
  const report = await orFail(async () => {
    const { copyBetween } = await import("@toolrack/server/local");
    return copyBetween({ ...toOptions(input, "Copying"), from, to, ...(typeof toKeyFile === "string" && { toKeyFile }) });
  });
  const { audit, counts, ends, keyId, rewrapped, running } = report;
  terminal.answer({ from: report.from, to: report.to, sequence: ends.sequence, counts, rewrapped, running, audit, keyId }, () =>
    [
      `${style.good("Copied")} ${countsOf(counts)} from ${safe(report.from)} to ${safe(report.to)}.`,
      `The copy contains everything up to change ${ends.sequence} and audit line ${ends.audit.last.number}; later writes to the source are not in it.`,
      auditLine(audit, terminal),
      rewrapped > 0
        ? `${secretsWere(rewrapped)} re-encrypted with the master key ${keyId}.`
        : `The copy needs the master key ${keyId}: make it available to the server that uses the copy.`,
      ...runningLine(running),
    ].join("\n"),
  );
  return audit.ok ? "ok" : "failed";
}

function toOptions({ folder, config, environment, options, terminal, signal }: CommandInput, doing: string) {
  const keyFile = options["keyFile"];
  let shown = 0;
  return {
    folder,
    config,
    environment,
    signal,
    ...(typeof keyFile === "string" && { keyFile }),
    onProgress({ done, total }: { readonly done: number; readonly total: number }): void {
      if (done - shown < progressEvery) return;
      shown = done;
      terminal.progress(`${doing} … ${done} of ${total}`);
    },
  };
}

const progressEvery = 10_000;

function countsOf({ change, head, audit, secret }: Counts): string {
  return `${counted(head, "record")} with ${counted(change, "revision")}, ${counted(audit, "audit line")}, ${counted(secret, "secret")}`;
}

/** "1 secret was", "2 secrets were" */
function secretsWere(count: number): string {
  return `${counted(count, "secret")} ${count === 1 ? "was" : "were"}`;
}

function runningLine(running: number): readonly string[] {
  return running === 0 ? [] : [`${counted(running, "call")} still ran: the result is only in the source.`];
}

function auditLine(audit: Audit | undefined, { style }: CommandInput["terminal"]): string {
  if (audit === undefined) return style.warn("The audit was not verified, because the master key is missing.");
  return audit.ok
    ? `${style.good("Audit intact:")} ${counted(audit.rows ?? 0, "line")}.`
    : style.bad(`Audit verification failed: ${safe(audit.reason ?? "")}`);
}

/** With the exit code that fits. */
async function orFail<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    const reason = typeof code === "string" && Object.hasOwn(reasons, code) ? reasons[code] : undefined;
    if (reason === undefined) throw error;
    throw new CommandError(reason, (error as Error).message);
  }
}

const reasons: Readonly<Record<string, ExitReason>> = {
  STORE_NOT_EMPTY: "refused",
  KEY_INVALID: "refused",
  SECRET_UNREADABLE: "refused",
  BACKUP_INVALID: "failed",
  QUERY_INVALID: "usage",
};

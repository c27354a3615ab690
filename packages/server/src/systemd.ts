import { spawn } from "node:child_process";
import type { Logger } from "@toolrack/core";

/** Tells systemd how this server is doing: its unit has `Type=notify` and `NotifyAccess=all`, and may have `WatchdogSec`. */
export interface Supervisor {
  /** Requests are answered from now on. Begins to feed the watchdog. */
  ready(): void;
  stopping(): void;
  /** Sends nothing more. */
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Undefined where systemd did not start this process, or waits for no message. Node has no datagram sockets of Unix, so the program
 * `systemd-notify` sends each message. A message to the watchdog is sent by a timer of the event loop: a process whose loop is blocked is silent.
 */
export function followSystemd(environment: Environment, log: Logger): Supervisor | undefined {
  const socket = environment["NOTIFY_SOCKET"];
  if (socket === undefined || socket === "") return undefined;
  const watchdogMs = watchdogOf(environment);
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  let isFeeding = false;
  let isTold = false;

  function send(...message: readonly string[]): Promise<void> {
    // In their order, one program at a time.
    return (sending = sending.then(() => notify(socket!, message)).catch(tell));
  }

  function tell(error: unknown): void {
    if (isTold) return;
    isTold = true;
    const next =
      "Install systemd-notify, or remove Type=notify and WatchdogSec from the unit: else systemd takes the server for hung, and ends it.";
    log.error(`systemd waits for messages of this server, and they cannot be sent. ${next}`, { error: String(error) });
  }

  function feed(): void {
    if (isFeeding) return;
    isFeeding = true;
    void send("WATCHDOG=1").finally(() => (isFeeding = false));
  }

  return {
    ready() {
      void send("READY=1", "STATUS=Answers requests.");
      if (watchdogMs === undefined) return;
      timer = setInterval(feed, watchdogMs / 3);
      timer.unref();
    },
    stopping: () => void send("STOPPING=1", "STATUS=Waits for running calls."),
    async close() {
      clearInterval(timer);
      await sending;
    },
  };
}

/** After so long without a message, systemd ends the process; undefined where it does not, or means another process. */
function watchdogOf({ WATCHDOG_USEC: microseconds, WATCHDOG_PID: pid }: Environment): number | undefined {
  const ms = Number(microseconds) / 1_000;
  return ms > 0 && (pid === undefined || Number(pid) === process.pid) ? ms : undefined;
}

function notify(socket: string, message: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const { PATH } = process.env;
    const program = spawn("systemd-notify", message, {
      env: { NOTIFY_SOCKET: socket, ...(PATH !== undefined && { PATH }) },
      stdio: "ignore",
      timeout: 10_000,
    });
    program.on("error", reject);
    program.on("close", (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`systemd-notify ended with ${signal ?? `code ${code}`}.`)),
    );
  });
}

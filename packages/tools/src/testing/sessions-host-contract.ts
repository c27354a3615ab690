import type { ContractCheck } from "@toolrack/core/testing";
import { attackChecks } from "./sessions/attacks.ts";
import { childChecks } from "./sessions/children.ts";
import type { OpenSessionsFor } from "./sessions/harness.ts";
import { messageChecks } from "./sessions/messages.ts";
import { statusChecks } from "./sessions/status.ts";

/**
 * The contract of `SessionsHost` as checks for any test runner: `for (const check of sessionsHostContract(open)) it(check.name, check.run)`.
 * They call the seven tools as agents do. `open` is called for each check; what it returns is closed after the check.
 */
export function sessionsHostContract(open: OpenSessionsFor): readonly ContractCheck[] {
  return [...statusChecks(), ...messageChecks(), ...childChecks(), ...attackChecks()].map(({ name, settings = {}, run }) => ({
    name,
    async run() {
      const opened = await open(settings);
      try {
        await run(opened);
      } finally {
        await opened.close();
      }
    },
  }));
}

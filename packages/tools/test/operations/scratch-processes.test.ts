import { existsSync } from "node:fs";
import { hasPart } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { findIsolation } from "../../src/operations/isolation.ts";
import { createScratchProcesses } from "../../src/operations/scratch-processes.ts";

describe.each(["bubblewrap", "unshare"] as const)("a program that needs no file of ours, isolated by %s", (isolation) => {
  it.skipIf(!hasPart(isolation, findIsolation(isolation).kind !== "none"))(
    "runs in an empty folder that is not on the disk, and writes no more than a bound to any folder",
    async () => {
      const processes = createScratchProcesses({ isolation, scratchBytes: 1_048_576 });
      afterThisTest(() => processes.close());
      let said = "";
      const script =
        'pwd; ls -A; for at in . /tmp /var/tmp /dev/shm "$HOME"; do head -c 2000000 /dev/zero > $at/big 2>/dev/null || stat -c %s $at/big; done';
      const started = await processes.start({
        program: "/bin/sh",
        args: ["-c", script],
        env: { PATH: "/usr/bin:/bin", LANG: "C" },
        onOutput: (stream, bytes) => void (stream === "stdout" && (said += Buffer.from(bytes).toString())),
      });
      await started.ended;
      const [folder, ...rest] = said.trim().split("\n");
      expect(rest).toEqual(Array.from({ length: 5 }, () => "1048576"));
      expect(existsSync(`${folder}/big`)).toBe(false);
    },
  );
});

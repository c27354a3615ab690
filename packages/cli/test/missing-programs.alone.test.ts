import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { run } from "./_run.ts";

interface Report {
  readonly problems: readonly { readonly about: string }[];
  readonly withoutHost: readonly string[];
}

describe("built-in tools whose program is not installed", () => {
  const config = "tools: { packs: { media: true, sessions: false } }\n";

  it("are one line of the doctor, which is no problem and says what one install would add", async () => {
    await withoutPrograms(async () => {
      const folder = temporaryFolder({ "toolrack.config.yaml": config });
      const ended = await run(["doctor"], { folder });
      expect(ended.output).toMatch(/^One install each would add tools: espeak-ng \(tts\)\.$/m);
      const report = (await run(["doctor", "--json"], { folder })).json() as Report;
      expect(report.withoutHost).toEqual(["tts"]);
      expect(report.problems.map(({ about }) => about)).not.toContain("tts");
    });
  });

  it("are left out of list and matrix, which show them with --all", async () => {
    await withoutPrograms(async () => {
      const folder = temporaryFolder({ "toolrack.config.yaml": config });
      expect((await run(["list"], { folder })).output).not.toMatch(/^tts /m);
      expect((await run(["list", "--all"], { folder })).output).toMatch(/^tts /m);
      const matrix = await run(["policy", "matrix"], { folder });
      expect(matrix.output).not.toMatch(/^tts /m);
      expect(matrix.output).toMatch(/^1 known tool without a host is left out: toolrack policy matrix --all$/m);
      expect((await run(["policy", "matrix", "--all"], { folder })).output).toMatch(/^tts /m);
    });
  });

  it("are said to exist by the empty list's help: --all", async () => {
    expect((await run(["list", "--help"], { folder: temporaryFolder() })).output).toMatch(/--all .*without a host/s);
  });
});

it("tools that work with sessions are one line of the doctor where no agent runs", async () => {
  const folder = temporaryFolder({ "toolrack.config.yaml": "tools: {}\n" });
  const ended = await run(["doctor"], { folder });
  expect(ended.output).toMatch(/^6 tools would be offered if an agent ran here \(sessions_list, .*agents_list\)\.$/m);
});

/** Programs are looked for on the PATH of this process. */
async function withoutPrograms(work: () => Promise<void>): Promise<void> {
  const { PATH } = process.env;
  process.env["PATH"] = temporaryFolder();
  try {
    await work();
  } finally {
    process.env["PATH"] = PATH;
  }
}

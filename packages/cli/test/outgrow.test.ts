import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openServer } from "@toolrack/server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { hasNats, startNats } from "@toolrack/testkit/nats";
import { startPostgres } from "@toolrack/testkit/postgres";
import { until } from "@toolrack/testkit/until";
import { expect, it, vi } from "vitest";
import { readShellBlocks, type ShellBlock, type ShellLine } from "./_pages.ts";
import { run } from "./_run.ts";

const page = readFileSync(new URL("../../../docs/guides/outgrow-one-machine.md", import.meta.url), "utf8");
const tools = `export default [{ name: "double", description: "Doubles a number.", metadata: { annotations: { readOnly: true } },
  inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] }, handler: ({ n }) => ({ doubled: n * 2 }) }];`;

/** What is done, in the order of the page: commands, and additions to the configuration. */
function readSteps(markdown: string): readonly (ShellBlock | string)[] {
  const parts = markdown.split(/^```yaml\n(.*?)^```$/gms);
  return parts.flatMap((part, index): readonly (ShellBlock | string)[] => (index % 2 === 1 ? [part] : readShellBlocks(part)));
}

type Served = Awaited<ReturnType<typeof openServer>>;

it.skipIf(!hasNats)(
  "the guide leads from SQLite to PostgreSQL, to a second server and to workers, with each command as it is written there",
  async () => {
    const [postgres, nats] = await Promise.all([startPostgres(), startNats([{ user: "toolrack", password: "br0ker" }])]);
    afterThisTest(() => postgres.stop());
    afterThisTest(() => nats.stop());
    const database = await createDatabase(postgres);
    afterThisTest(() => void vi.unstubAllEnvs());
    const [first, second, workers] = [temporaryFolder(), temporaryFolder(), temporaryFolder({ "double.mjs": tools })];
    const config = join(first, "toolrack.config.yaml");
    writeFileSync(config, "policy: { unknownAgents: allow }\n");
    const environments: Record<string, Record<string, string>> = { [first]: {}, [second]: {}, [workers]: {} };
    const known = { worker: "", server: "" };
    const running = new Map<string, Served>();
    const printed: string[] = [];

    /** What a reader puts in the place of what is written. */
    const filledIn = (text: string): string =>
      text
        .replace("postgres://toolrack@db.internal/toolrack", database)
        .replace("nats://broker.internal:4222", nats.url)
        .replace("MASTER-KEY", () => readFileSync(join(first, ".toolrack/master.key"), "utf8").trim())
        .replace("ed25519:WORKER", known.worker)
        .replace("ed25519:SERVER", known.server)
        .replace(/=PASSWORD$/, "=br0ker");

    async function serve(folder: string): Promise<void> {
      await running.get(folder)?.close({ graceMs: 0 });
      writeFileSync(join(folder, "toolrack.config.yaml"), readFileSync(config));
      const environment = { XDG_STATE_HOME: process.env["XDG_STATE_HOME"]!, ...environments[folder]! };
      const server = await openServer({ folder, environment, port: 0, consoleFolder: false, logLevel: "silent" } as never);
      running.set(folder, server);
      await server.rack.sources.ready();
    }
    afterThisTest(async () => {
      for (const server of running.values()) await server.close({ graceMs: 0 });
    });

    /** The worker is started in a folder of its own; the second server once, as its line says. */
    const folderOf = (line: ShellLine): string =>
      line.text.includes("toolrack worker ") ? workers : line.text.includes("second machine") ? second : first;

    async function runLine(line: ShellLine): Promise<string> {
      const [program, ...rest] = line.words;
      if (program === "export") {
        const [, name = "", value = ""] = /^(\w+)=(.*)$/s.exec(filledIn(rest.join(" ")))!;
        for (const environment of Object.values(environments)) environment[name] = value;
        // A command that opens the store itself reads the variables of its process.
        vi.stubEnv(name, value);
        return "";
      }
      expect([program, rest[0]], line.text).toEqual(["npx", "toolrack"]);
      const folder = folderOf(line);
      if (rest[1] === "serve") return (await serve(folder), "");
      const stop = new AbortController();
      const ended = run(rest.slice(1).map(filledIn), {
        folder,
        environment: environments[folder]!,
        input: "br0ker",
        signal: stop.signal,
        onOutput: (text) => void printed.push(text),
      });
      if (line.isInBackground) {
        afterThisTest(async () => {
          stop.abort();
          await ended;
        });
        await until(() => printed.join("").includes("Ready"));
        await until(() => running.get(first)!.rack.registry.has("double"));
        return "";
      }
      const { code, output, errors } = await ended;
      expect(code, `${line.text}\n${output}${errors}`).toBe(line.exit);
      const [, key] = /(ed25519:[\w-]{43})/.exec(output + errors) ?? [];
      if (key !== undefined) known[folder === workers ? "worker" : "server"] = key;
      return output + errors;
    }

    // The beginning: a server that was used, on SQLite.
    await serve(first);
    expect(await run(["call", "random", "min=1", "max=6"], { folder: first })).toMatchObject({ code: 0 });
    await running.get(first)!.close({ graceMs: 0 });
    running.delete(first);

    let commands = 0;
    for (const step of readSteps(page)) {
      if (typeof step === "string") {
        appendFileSync(config, filledIn(step));
        continue;
      }
      let output = "";
      const { rack } = running.get(first) ?? {};
      if (running.has(second)) await until(async () => (await rack!.servers.list()).length === 2);
      for (const line of step.lines) {
        commands += 1;
        output += await runLine(line);
      }
      for (const line of step.prints) expect(output).toContain(line);
      if (running.has(second) && step.lines.some(({ text }) => text.endsWith("toolrack status")))
        expect(output.match(/ active +same +[0-9a-f]+ +same /g)).toHaveLength(2);
      if (step.lines.some(({ text }) => text.endsWith("toolrack calls"))) expect(output).toContain("random");
      if (step.lines.some(({ text }) => text.includes("call double"))) expect(output).toContain("42");
    }
    expect(commands).toBeGreaterThan(12);
  },
);

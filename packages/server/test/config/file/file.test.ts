import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "@toolrack/core";
import { createFakeClock } from "@toolrack/core/testing";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { turns } from "@toolrack/testkit/turns";
import { afterEach, describe, expect, it } from "vitest";
import { type ConfigFile, openConfigFile } from "../../../src/config/file/file.ts";
import type { ReadConfig } from "../../../src/config/read.ts";
import { type FileReading, readWholeFile } from "../../../src/config/file/whole-file.ts";
import { keepLog } from "../../telemetry/log/lines.ts";

const full = "server:\n  port: 7333\npolicy:\n  tools:\n    deny:\n      - exec\n      - write\nagents:\n  support: {}\n";

const opened: ConfigFile[] = [];
afterEach(() => {
  for (const file of opened.splice(0)) file.close();
});

/** A file in memory that a test writes as it likes, followed by a clock that the test moves. */
async function openFake(text: string, changedAt = -10_000) {
  const clock = createFakeClock(1_000_000);
  const errors: string[] = [];
  const log: Logger = { debug() {}, info() {}, warn() {}, error: (_, fields) => void errors.push(JSON.stringify(fields)) };
  let saves = 0;
  let now: FileReading = { text, stamp: "0", changedAt };
  let onChange = (): void => {};
  const write = (next: string | undefined, isNoticed = true): void => {
    saves++;
    now =
      next === undefined
        ? { fault: "ENOENT: no such file", stamp: "gone", changedAt: Number.POSITIVE_INFINITY }
        : { text: next, stamp: String(saves), changedAt: clock.now() };
    if (isNoticed) onChange();
  };
  const opening = openConfigFile("/config/toolrack.config.yaml", {
    log,
    clock,
    read: () => now,
    watch(_, listener) {
      onChange = listener;
      return () => {};
    },
  });
  const used: ReadConfig[] = [];
  const ready = opening.then((file) => {
    opened.push(file);
    file.follow((next) => used.push(next) > 0);
    return file;
  });
  ready.catch(() => {});
  return { clock, errors, write, used, ready };
}

const deniesExec = ({ config }: ReadConfig): boolean => config.policy?.tools?.deny?.includes("exec") === true;

describe("the configuration file", () => {
  it("SD2: is not used while it is written in pieces, in place", async () => {
    const { clock, write, used, ready } = await openFake(full);
    await ready;
    for (let save = 0; save < 5; save++) {
      write("");
      for (let length = 0; length < full.length; length += 7) {
        write(full.slice(0, length));
        await clock.advance(150);
      }
      write(full);
      await clock.advance(1_000);
    }
    expect(used.length).toBeGreaterThan(0);
    expect(used.every(deniesExec)).toBe(true);
  });

  it("SD2: is not used while a slow writer rests for a second between its pieces", async () => {
    const { clock, write, used, ready } = await openFake(full);
    await ready;
    const next = full.replace("7333", "7334");
    for (const length of [0, 20, 34, 45, 60]) {
      write(next.slice(0, length));
      await clock.advance(1_000);
    }
    write(next);
    await clock.advance(1_000);
    expect(used.map(({ text }) => text)).toEqual([next]);
  });

  it("SD2: that lost a rule is not used while its writer may only rest", async () => {
    const { clock, write, used, ready } = await openFake(full);
    await ready;
    const next = full.replace("7333", "7334");
    for (const half of [
      next.slice(0, next.indexOf("    deny")),
      `${next.replace("      - exec\n", "")}# a comment that makes it longer\n`,
    ]) {
      write(half);
      await clock.advance(8_000);
      expect(used.every(deniesExec)).toBe(true);
      write(next);
      await clock.advance(8_000);
      expect(used.at(-1)?.text).toBe(next);
    }
    // Somebody means it.
    const looser = next.replace("      - exec\n", "");
    write(looser);
    await clock.advance(12_000);
    expect(used.at(-1)?.text).toBe(looser);
  });

  it("SD2: may be replaced by a rename, or deleted and created again, and is used once it is there", async () => {
    const { clock, errors, write, used, ready } = await openFake(full);
    const file = await ready;
    const next = `${full}# more\n`;
    write(next);
    await clock.advance(500);
    write(undefined);
    await clock.advance(500);
    expect(file.problems).toEqual([]);
    write(`${next}# and more\n`);
    await clock.advance(500);
    expect(used.map(({ text }) => text)).toEqual([next, `${next}# and more\n`]);
    expect(errors).toEqual([]);
  });

  it("SD2: that is gone, or wrong, leaves the one before in force, and is reported once for each fault", async () => {
    const { clock, errors, write, used, ready } = await openFake(full);
    const file = await ready;
    write(undefined);
    await clock.advance(5_000);
    expect(file.problems).toEqual([expect.stringContaining("There is no configuration file ")]);
    const wrong = `${full}polcy: {}\n`;
    for (let save = 0; save < 20; save++) {
      write(wrong);
      await clock.advance(1_000);
    }
    expect(file.problems).toEqual([expect.stringContaining(`Did you mean "policy"?`)]);
    expect(errors).toHaveLength(2);
    expect(used).toEqual([]);
    write(full);
    await clock.advance(1_000);
    expect(file.problems).toEqual([]);
  });

  it("LG8: that is broken is told once, whatever happens in its folder, and told again only when it was whole in between", async () => {
    const folder = temporaryFolder();
    const place = join(folder, "toolrack.config.yaml");
    writeFileSync(place, full);
    const { log, lines } = keepLog();
    const clock = createFakeClock(Date.now() + 60_000);
    let inFolder = (): void => {};
    const file = await openConfigFile(place, { log, clock, watch: (_, onChange) => ((inFolder = onChange), () => {}) });
    opened.push(file);
    file.follow(() => true);
    const told = (): readonly string[] => lines().map(({ level, message }) => `${level} ${message}`);
    const save = async (text: string): Promise<void> => {
      writeFileSync(place, text);
      inFolder();
      await clock.advance(5_000);
      for (let event = 0; event < 10; event++) {
        writeFileSync(join(folder, `other-${event % 2}`), String(event));
        inFolder();
        await clock.advance(500);
      }
    };
    const wrong = `${full}polcy: {}\n`;
    await save(wrong);
    await save(wrong);
    expect(told()).toEqual(["error The configuration was not used; the previous one stays in force."]);
    await save(full);
    expect(told().slice(1)).toEqual(["info The configuration file is valid again."]);
    await save(wrong);
    expect(told().slice(2)).toEqual(["error The configuration was not used; the previous one stays in force."]);
  });

  it("SD2: that changes all the time is reported, and used when it is left alone", async () => {
    const { clock, errors, write, used, ready } = await openFake(full);
    const file = await ready;
    for (let save = 0; save < 60; save++) {
      write(`${full}# ${save}\n`);
      await clock.advance(150);
    }
    expect(used).toEqual([]);
    expect(file.problems).toEqual([expect.stringContaining("changes each time it is read")]);
    expect(errors).toHaveLength(1);
    await clock.advance(1_000);
    expect(used.map(({ text }) => text)).toEqual([`${full}# 59\n`]);
    expect(file.problems).toEqual([]);
  });

  it("SD2: that is half-written at the start is waited for", async () => {
    const { clock, write, ready } = await openFake("", 999_990);
    write(full.slice(0, 30));
    await clock.advance(150);
    write(full);
    await clock.advance(1_000);
    expect((await ready).start.text).toBe(full);
  });

  it("SD2: that never comes to rest at the start is CONFIG_INVALID", async () => {
    const { clock, write, ready } = await openFake("", 999_990);
    for (let save = 0; save < 60; save++) {
      write(`${full}# ${save}\n`);
      await clock.advance(150);
    }
    await expect(ready).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("SD2: is used when a change of it was not noticed by watching", async () => {
    const { clock, write, used, ready } = await openFake(full);
    await ready;
    await clock.advance(1_000);
    write(full.replace("- exec", "- exec\n      - read"), false);
    await clock.advance(5_000);
    expect(used.at(-1)?.config.policy?.tools?.deny).toEqual(["exec", "read", "write"]);
  });

  it("SD2: is followed through links, and when the folder around it is replaced", async () => {
    const folder = temporaryFolder();
    for (const name of ["project", "store/a"]) mkdirSync(join(folder, name), { recursive: true });
    const named = join(folder, "project", "toolrack.config.yaml");
    const target = join(folder, "store", "a", "real.yaml");
    // Each save adds a rule: one that loses rules is read for ten seconds.
    const denying = (...names: string[]): string => `policy:\n  tools:\n    deny: [${names.join(", ")}]\n`;
    writeFileSync(target, denying("exec"));
    symlinkSync("../store/link.yaml", named);
    symlinkSync("a/real.yaml", join(folder, "store", "link.yaml"));
    const used: ReadConfig[] = [];
    const file = await openConfigFile(named, { log: keepLog().log });
    opened.push(file);
    file.follow((next) => used.push(next) > 0);
    const isInForce = (...names: string[]): Promise<void> =>
      until(() => JSON.stringify(used.at(-1)?.config.policy?.tools?.deny) === JSON.stringify(names));
    writeFileSync(target, denying("exec", "one"));
    await isInForce("exec", "one");
    writeFileSync(join(folder, "store", "a", "other.yaml"), denying("exec", "one", "two"));
    rmSync(join(folder, "store", "link.yaml"));
    symlinkSync("a/other.yaml", join(folder, "store", "link.yaml"));
    await isInForce("exec", "one", "two");
    renameSync(join(folder, "project"), join(folder, "project-old"));
    mkdirSync(join(folder, "project"));
    writeFileSync(named, denying("exec", "one", "two", "three"));
    await isInForce("exec", "one", "two", "three");
    writeFileSync(named, denying("exec", "one", "two", "three", "four"));
    await isInForce("exec", "one", "two", "three", "four");
  });

  it("is used at once at the start where it is not new", async () => {
    const { ready } = await openFake(full);
    expect((await ready).start.text).toBe(full);
  });

  it("SD2: on a real disk never loses its policy while it is saved again and again", async () => {
    const path = join(temporaryFolder(), "toolrack.config.yaml");
    writeFileSync(path, full);
    const file = await openConfigFile(path, { log: { debug() {}, info() {}, warn() {}, error() {} } });
    opened.push(file);
    const used: ReadConfig[] = [];
    file.follow((next) => used.push(next) > 0);
    for (let save = 0; save < 12; save++) {
      const next = `${full}# ${"x".repeat(save)}\n`;
      if (save % 3 === 0) rmSync(path);
      if (save % 3 === 1) {
        writeFileSync(`${path}.new`, next);
        renameSync(`${path}.new`, path);
      } else {
        for (let length = 0; length < next.length; length += 20) {
          writeFileSync(path, next.slice(0, length));
          await turns(5);
        }
        writeFileSync(path, next);
      }
      await turns(20);
    }
    await file.reload();
    expect(used.at(-1)!.text).toBe(`${full}# ${"x".repeat(11)}\n`);
    expect(used.every(deniesExec)).toBe(true);
  });

  it("has another stamp after each save, also of the same bytes", () => {
    const path = join(temporaryFolder(), "file");
    writeFileSync(path, "a");
    const first = readWholeFile(path);
    writeFileSync(`${path}.new`, "a");
    renameSync(`${path}.new`, path);
    expect(readWholeFile(path).stamp).not.toBe(first.stamp);
    expect(readWholeFile(join(path, "nothing"))).toMatchObject({ fault: expect.any(String) });
  });
});

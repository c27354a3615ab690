import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { shellWord } from "../../src/util/shell-word.ts";

it("a text in a command is one word to a shell, whatever it contains", () => {
  const texts = [
    "support",
    "a b",
    "a; touch /tmp/x",
    "$(id)",
    "`id`",
    "it's",
    "",
    "~",
    "=ls",
    "a\\b",
    "line\nbreak",
    "*",
    "http://[::1]:7333",
  ];
  for (const text of texts)
    expect(spawnSync("sh", ["-c", `printf %s ${shellWord(text)}`], { encoding: "utf8" })).toMatchObject({ stdout: text, stderr: "" });
  expect(shellWord("support")).toBe("support");
});

import { describe, expect, it } from "vitest";
import { createLog } from "../../../src/telemetry/log/log.ts";

function capture(options: Parameters<typeof createLog>[0] = {}): {
  log: ReturnType<typeof createLog>;
  lines: () => Record<string, unknown>[];
  text: () => string;
} {
  let written = "";
  const log = createLog({ ...options, destination: { write: (line: string) => void (written += line) } });
  return {
    log,
    text: () => written,
    lines: () =>
      written
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe("the log", () => {
  // row: I7
  it("writes one JSON object a line, with time, level, message and fields", () => {
    const { log, lines } = capture();
    log.info("request", { route: "GET /health", status: 200 });
    log.debug("not told");
    const line = { route: "GET /health", status: 200, "http.response.status_code": 200 };
    expect(lines()).toEqual([{ level: "info", time: expect.any(String) as string, message: "request", ...line }]);
  });

  it("takes secrets out: by name of the field, by value in any spelling, at any depth, in errors and in keys", () => {
    const { log, text } = capture({ hiddenFields: ["card-number"] });
    const secret = 'pl4nted "secret"/value';
    log.hide(() => [secret]);
    const key = `trk_${"0a".repeat(8)}_${"x".repeat(43)}`;
    log.error(`It is ${secret}`, {
      password: "by name",
      Card_Number: "4111",
      nested: [{ deep: { url: `https://x/?q=${encodeURIComponent(secret)}`, basic: Buffer.from(secret).toString("base64") } }],
      error: new Error(`no ${secret}`, { cause: { message: secret, authorization: "Bearer by-header" } }),
      [secret]: 1,
      header: `Bearer ${key}`,
    });
    for (const part of [
      secret,
      "pl4nted",
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64"),
      "by name",
      "4111",
      "by-header",
      key,
      "x".repeat(43),
    ])
      expect(text()).not.toContain(part);
    expect(text()).toContain("[redacted]");
  });

  it("takes API keys out also of a line that has nothing else to change", () => {
    const { log, text } = capture();
    const key = `trk_${"0a".repeat(8)}_${"x".repeat(43)}`;
    log.info("short", { header: `Bearer ${key}` });
    log.info("short", { [key]: 1 });
    expect(text()).not.toContain("x".repeat(43));
    expect(text().match(/trk_\[redacted\]/g)).toHaveLength(2);
  });

  it("takes a secret out before it cuts a text in the middle of it", () => {
    const { log, text } = capture();
    const secret = "pl4nted-secret-value";
    log.hide(() => [secret]);
    log.info("x".repeat(8_192 - 8) + secret);
    expect(text()).not.toContain("pl4nted");
  });

  it("is harmless to deep, long, circular and odd values", () => {
    const { log, lines } = capture();
    const circular: Record<string, unknown> = { big: 12n, bytes: new Uint8Array(3), long: "x".repeat(100_000) };
    circular["self"] = circular;
    log.info("odd", circular);
    expect(JSON.stringify(lines()[0]).length).toBeLessThan(500_000);
    expect(lines()[0]).toMatchObject({ message: "odd", big: "12", bytes: "[3 bytes]" });
  });

  it("counts lines beyond the limit instead of writing them", async () => {
    const { log, lines } = capture({ linesPerSecond: 10 });
    for (let line = 0; line < 1_000; line++) log.info("flood");
    expect(lines().length).toBeLessThanOrEqual(21);
    await expect
      .poll(
        () => {
          log.info("later");
          return lines().some(
            ({ message, lines: left }) => message === "Lines were left out of the log, because there were too many." && Number(left) > 900,
          );
        },
        { timeout: 60_000 },
      )
      .toBe(true);
  });

  it("LG7: warnings and errors have room of their own, and what was left out is counted", () => {
    const { log, lines } = capture({ linesPerSecond: 3 });
    for (let line = 0; line < 50; line++) log.info("flood");
    expect(log.takes("info")).toBe(false);
    expect(log.takes("error")).toBe(true);
    log.error("heard");
    expect(lines().filter(({ message }) => message === "heard")).toHaveLength(1);
    expect(log.dropped).toBeGreaterThan(40);
  });

  it("takes over what the configuration says, and what it was made with goes before it", () => {
    const { log, lines } = capture({ level: "warn" });
    log.configure({ level: "debug", hiddenFields: ["card"] });
    log.info("not told");
    log.warn("told", { card: "4111" });
    expect(lines()).toMatchObject([{ message: "told", card: "[redacted]" }]);
  });
});

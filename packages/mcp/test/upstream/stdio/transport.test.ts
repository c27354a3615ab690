import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { createStdioTransport, tooLarge } from "../../../src/upstream/stdio/stdio.ts";

/** A child that runs this program, and what came from it. */
async function open(
  program: string,
  { env = {}, maxMessageBytes = 1_000, ...more }: { env?: Record<string, string>; maxMessageBytes?: number; inheritEnv?: string[] } = {},
) {
  const heard: unknown[] = [];
  const transport = createStdioTransport(
    { name: "hand", command: process.execPath, args: ["-e", program], ...more },
    { env, maxMessageBytes, exitMs: 5_000 },
  );
  transport.onmessage = (message: never) => void heard.push(message);
  transport.onerror = (error) => void heard.push(error.message);
  transport.onclose = () => void heard.push("closed");
  await transport.start();
  afterThisTest(() => transport.close());
  return { transport, heard };
}

const write = (...lines: string[]): string => lines.map((line) => `process.stdout.write(${JSON.stringify(`${line}\n`)});`).join("");
const message = (fields: object): string => JSON.stringify({ jsonrpc: "2.0", ...fields });

describe("a server that is a program", () => {
  it("is heard line by line: messages, and an error for each line that is none", async () => {
    const lines = [message({ id: 1, result: {} }), "null", '{"jsonrpc":"1.0"}', "5", "{", '{"id":1}', message({ method: "x" })];
    const { heard } = await open(write(...lines));
    await until(() => heard.includes("closed"));
    const none = "The server sent JSON that is no message.";
    expect(heard).toEqual([
      { jsonrpc: "2.0", id: 1, result: {} },
      none,
      none,
      none,
      expect.stringContaining("JSON"),
      none,
      { jsonrpc: "2.0", method: "x" },
      "closed",
    ]);
  });

  it("whose answer is too long gets an error in its place, where its id can be seen", async () => {
    const long = "x".repeat(2_000);
    const { heard } = await open(
      write(
        message({ id: 7, result: { long } }),
        `{"jsonrpc":"2.0","result":{"a":"${long}"},"id": 8}`,
        long,
        message({ id: 9, result: {} }),
      ),
    );
    await until(() => heard.includes("closed"));
    const text = (bytes: number) => `The server sent a message of ${bytes} bytes, and at most 1000 are read.`;
    expect(heard).toEqual([
      {
        jsonrpc: "2.0",
        id: 7,
        error: {
          code: tooLarge,
          message: expect.stringMatching(/^The server sent a message of 20\d\d bytes, and at most 1000 are read\.$/),
        },
      },
      { jsonrpc: "2.0", id: 8, error: { code: tooLarge, message: expect.any(String) } },
      text(2_000),
      { jsonrpc: "2.0", id: 9, result: {} },
      "closed",
    ]);
  });

  it("is spoken to until it has ended", async () => {
    const { transport, heard } = await open("process.stdin.on('data', (data) => process.stdout.write(data));");
    expect([typeof transport.pid, transport.stderr]).toEqual(["number", null]);
    await transport.send({ jsonrpc: "2.0", id: 1, method: "ping" });
    await until(() => heard.length === 1);
    expect(heard).toEqual([{ jsonrpc: "2.0", id: 1, method: "ping" }]);
    await transport.close();
    expect(heard).toEqual([heard[0], "closed"]);
    await expect(transport.send({})).rejects.toThrow("The server's process has ended.");
    await transport.close();
    expect(heard).toHaveLength(2);
  });

  it("keeps the last it wrote on stderr, for whoever asks why it ended", async () => {
    const { transport, heard } = await open("process.stderr.write('a'.repeat(3000) + 'the reason');");
    await until(() => heard.includes("closed"));
    expect(transport.stderrTail()).toBe(`${"a".repeat(1_990)}the reason`);
  });

  it("has its own variables and those that it inherits by name, and no others", async () => {
    process.env["UPSTREAM_TEST_GIVEN"] = "given";
    process.env["UPSTREAM_TEST_SECRET"] = "s3cret";
    afterThisTest(() => {
      delete process.env["UPSTREAM_TEST_GIVEN"];
      delete process.env["UPSTREAM_TEST_SECRET"];
    });
    const { heard } = await open("console.log(JSON.stringify({ jsonrpc: '2.0', env: process.env }))", {
      env: { OWN: "own" },
      inheritEnv: ["UPSTREAM_TEST_GIVEN"],
      maxMessageBytes: 100_000,
    });
    await until(() => heard.includes("closed"));
    const { env } = heard[0] as { env: Record<string, string> };
    expect(env).toMatchObject({ OWN: "own", UPSTREAM_TEST_GIVEN: "given" });
    expect(Object.keys(env)).not.toContain("UPSTREAM_TEST_SECRET");
    expect(Object.keys(env)).not.toContain("npm_config_ignore_scripts");
  });

  it("that cannot be started is closed at once, and named", async () => {
    const transport = createStdioTransport({ name: "hand", command: "/nowhere/server" }, { env: {}, maxMessageBytes: 100, exitMs: 100 });
    let closes = 0;
    transport.onclose = () => void closes++;
    await expect(transport.start()).rejects.toMatchObject({
      code: "SOURCE_FAILED",
      message: expect.stringMatching(/^MCP server "hand" cannot be started\. /),
    });
    await transport.close();
    expect([closes, transport.pid]).toEqual([1, null]);
  });
});

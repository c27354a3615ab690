import { describe, expect, it } from "vitest";
import { commands } from "../../src/commands.ts";

describe("the commands", () => {
  it("take the words that scripts rely on; after a change on purpose: npx vitest run packages/cli/test/commands/ -u", async () => {
    const lines = commands.map(({ name, aliases = [], arguments: words = [], options = [], usesTools }) =>
      [
        [name, ...words.map(({ form }) => form)].join(" "),
        ...aliases.map((alias) => `  also: ${alias}`),
        ...options.map(
          ({ flags, default: fallback, isList = false }) =>
            `  ${flags}${fallback === undefined ? "" : ` (${String(fallback)})`}${isList ? " (can be repeated)" : ""}`,
        ),
        ...(usesTools === undefined ? [] : [`  usesTools: ${usesTools}`]),
      ].join("\n"),
    );
    await expect(`${lines.join("\n\n")}\n`).toMatchFileSnapshot("./contract.txt");
  });
});

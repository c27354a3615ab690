import { beforeAll, describe, expect, it } from "vitest";
import { mistakes } from "./all.ts";
import { makeMistake } from "./catch.ts";
import { compileMistakes } from "./compiler.ts";

describe.each(Object.entries(mistakes))("a mistake of the subject %s is noticed, and the sentence explains it:", (_subject, list) => {
  it.each(list.map((mistake) => [mistake.title, mistake] as const))("%s", async (_title, mistake) => {
    const caught = await makeMistake(mistake);
    expect(caught, "it ends as a quiet success").toBeDefined();
    expect(caught, caught!.sentence).toMatchObject({ isExplained: true });
    expect(caught!.sentence.length).toBeGreaterThan(20);
  });
});

describe("the mistakes", () => {
  const all = Object.values(mistakes).flat();
  let compiled: ReadonlyMap<string, string>;

  beforeAll(async () => {
    compiled = await compileMistakes(import.meta.dirname, Object.keys(mistakes));
  });

  it("are at least seventy, each with a title of its own", () => {
    expect(all.length).toBeGreaterThanOrEqual(70);
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
  });

  it("are seen by the compiler where a type can tell", () => {
    const titles = new Set(all.map(({ title }) => title));
    expect([...compiled.keys()].filter((title) => !titles.has(title))).toEqual([]);
    for (const title of ["A misspelt option: `polcy`", "A misspelt fact of a caller, for a call", "A list given to `register`"])
      expect(compiled.get(title), title).toBeDefined();
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type ApiAnswers, type PathParameter, routes } from "../../src/index.ts";
import { listOf, objectOf, ok } from "../../src/api/_answers.ts";
import { defineRoute, type RoutesOf } from "../../src/http/route.ts";

interface Lamp {
  readonly name: string;
  readonly watts?: number;
}

const text = { type: "string" } as const;

describe("the types of the API's answers", () => {
  it("name every operation that answers with JSON or with nothing, and no other", () => {
    const folder = new URL("../../src/api/", import.meta.url);
    const sources = readdirSync(folder)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(new URL(name, folder), "utf8"));
    const declared = sources.flatMap((source) =>
      [...source.matchAll(/^ {2}"((?:GET|POST|PUT|PATCH|DELETE) \/[^"]*)": /gm)].map(([, key]) => key),
    );
    const served = routes
      .filter(({ atRoot, answers }) => atRoot !== true && Object.values(answers).every(({ contentType }) => contentType === undefined))
      .map(({ method, path }) => `${method} ${path}`);
    expect(declared.toSorted()).toEqual(served.toSorted());
  });

  it("are held against the schema's fields by the compiler", () => {
    expect(objectOf<Lamp>({ name: text, watts: { type: "number" } }, ["watts"])).toMatchObject({ required: ["name"] });
    // @ts-expect-error: the type has a field that the schema lacks
    objectOf<Lamp>({ name: text }, ["watts"]);
    // @ts-expect-error: the schema has a field that the type lacks
    objectOf<Lamp>({ name: text, watts: { type: "number" }, colour: text }, ["watts"]);
    // @ts-expect-error: the type requires the field
    objectOf<Lamp>({ name: text, watts: { type: "number" } }, ["name"]);
    // @ts-expect-error: the schema of another type
    objectOf<{ readonly lamps: readonly Lamp[] }>({ lamps: listOf(objectOf<{ readonly other: string }>({ other: text })) });
  });

  it("are held against what the handler returns by the compiler", () => {
    const answers = ok("A lamp.", objectOf<Lamp>({ name: text, watts: { type: "number" } }, ["watts"]));
    const facts = { method: "GET", path: "/lamp", id: "getLamp", group: "lamps", summary: "A lamp.", answers } as const;
    const lamp = defineRoute({ ...facts, run: () => ({ body: { name: "desk" } }) });
    // @ts-expect-error: the handler returns something else
    defineRoute({ ...facts, run: () => ({ body: { title: "desk" } }) });
    const lamps: RoutesOf<{ "GET /lamp": Lamp }> = [lamp];
    // @ts-expect-error: the operation is declared with another type
    const others: RoutesOf<{ "GET /lamp": { readonly other: string } }> = [lamp];
    // @ts-expect-error: the operation is not declared
    const missing: RoutesOf<{ "GET /other": Lamp }> = [lamp];
    expect([lamps, others, missing]).toEqual([[lamp], [lamp], [lamp]]);
  });

  it("know the parameters of a path", () => {
    const names: PathParameter<"GET /tools/{name}"> = "name";
    // @ts-expect-error: the path has no parameter
    const none: PathParameter<keyof ApiAnswers & "GET /tools"> = "name";
    expect([names, none]).toEqual(["name", "name"]);
  });
});

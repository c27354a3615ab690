/** A schema and a way to make values that it accepts. */
export interface Sample {
  readonly schema: Record<string, unknown>;
  value(): unknown;
}

export type Random = () => number;

/** Numbers in [0, 1) that depend on the seed alone. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const names = [
  "a",
  "b",
  "kind",
  "name",
  "$ref",
  "type",
  "",
  "__proto__",
  "constructor",
  "a b",
  "ü.x",
  "properties",
  "x/y~z",
  "k".repeat(80),
  "items",
  "omit",
];
const texts = ["", "x", "hello world", 'a "quoted" \\ word', "null", "12", "{}", "[1]", "(null)", "é😀", "line\nbreak"];

export function randomTool(random: Random): Sample {
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!;
  const chance = (share: number): boolean => random() < share;
  const integer = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));

  function scalar(): Sample {
    return pick([
      () => ({ schema: { type: "string" }, value: () => pick(texts) }),
      () => ({ schema: { type: "string", minLength: 1, maxLength: 8, description: "short" }, value: () => pick(["a", "ab", "null"]) }),
      () => ({ schema: { type: "string", pattern: pick(["^a+$", "^(?=.*a)a*$", "^(a|b)\\b"]) }, value: () => "a" }),
      () => ({ schema: { type: "string", format: pick(["uri", "date", "uuid", "email"]) }, value: () => "x" }),
      () => ({ schema: { type: "integer", minimum: 1, exclusiveMaximum: 9 }, value: () => integer(1, 8) }),
      () => ({ schema: { type: "number", exclusiveMinimum: 0, multipleOf: 0.5 }, value: () => integer(1, 9) / 2 }),
      () => ({ schema: { type: "boolean" }, value: () => chance(0.5) }),
      () => ({ schema: { type: ["string", "null"] }, value: () => pick([null, ...texts]) }),
      () => ({ schema: { type: "null" }, value: () => null }),
      () => ({
        schema: { const: pick<unknown>(["cat", 2, null, true, { a: [1] }, []]) },
        value() {
          return (this.schema as { const: unknown }).const;
        },
      }),
      () => ({
        schema: { enum: ["auto", "", 0, 1.5, true, null, { x: 1 }, [2]] },
        value: () => pick<unknown>(["auto", "", 0, 1.5, true, null, { x: 1 }, [2]]),
      }),
      () => ({ schema: { type: ["string", "null"], enum: ["asc", "null", null] }, value: () => pick(["asc", "null", null]) }),
      () => ({ schema: {}, value: anything }),
      () => ({ schema: { description: "anything" }, value: anything }),
    ])() as Sample;
  }

  function anything(): unknown {
    return pick<unknown>([
      null,
      1,
      "text",
      '"quoted"',
      "5",
      true,
      [],
      {},
      [1, "a", { b: null }],
      { entries: [] },
      { json: "1" },
      { key: 1 },
    ]);
  }

  function array(depth: number, alone = true): Sample {
    const [first, second] = [schema(depth - 1, alone), schema(depth - 1, alone)];
    const list = (): unknown[] => Array.from({ length: integer(0, 2) }, () => first.value());
    return pick<() => Sample>([
      () => ({ schema: { type: "array", items: first.schema }, value: list }),
      () => ({ schema: { type: "array", items: first.schema, minItems: 2, maxItems: 3 }, value: () => [first.value(), first.value()] }),
      () => ({ schema: { type: "array" }, value: () => [anything(), anything()] }),
      () => ({
        schema: { type: "array", prefixItems: [first.schema, second.schema], items: false, minItems: 1 },
        value: () => [first.value(), second.value()],
      }),
      () => ({
        schema: { type: "array", prefixItems: [first.schema], items: second.schema },
        value: () => [first.value(), second.value(), second.value()],
      }),
      () => ({ schema: { type: ["array", "null"], items: first.schema }, value: () => (chance(0.3) ? null : list()) }),
    ])();
  }

  /** Beside other branches an object says whether it is open: what its undeclared keys may hold would be anyone's guess. */
  function object(depth: number, alone = true): Sample {
    const members = new Map<string, Sample>();
    for (let count = integer(0, 4); count > 0; count--) members.set(pick(names), schema(depth - 1, alone));
    const keys = [...members.keys()];
    const required = keys.filter(() => chance(0.5));
    const properties = Object.fromEntries([...members].map(([key, sample]) => [key, sample.schema]));
    const declared = (): [string, unknown][] =>
      keys.filter((key) => required.includes(key) || chance(0.5)).map((key) => [key, members.get(key)!.value()]);
    const rest = schema(depth - 1, alone);
    const extra = scalar();
    const free = (): [string, unknown][] => (chance(0.5) ? [] : [["free key", rest.value()]]);
    const base = { type: "object", properties, ...(required.length > 0 && { required }) };
    const from = (entries: [string, unknown][]): unknown => Object.fromEntries(entries);
    const implied: readonly (() => Sample)[] = [
      () => ({ schema: base, value: () => from(declared()) }),
      () => ({
        schema: { ...base, required: [...required, "undeclared"] },
        value: () => from([...declared(), ["undeclared", anything()]]),
      }),
      () => ({
        schema: {
          ...base,
          if: { required: ["zz"] },
          else: { properties: { extra: extra.schema }, required: ["extra"] },
          dependentRequired: { zz: ["extra"] },
        },
        value: () => from([...declared(), ["extra", extra.value()]]),
      }),
    ];
    return pick<() => Sample>([
      ...(alone ? implied : []),
      () => ({ schema: { ...base, additionalProperties: false }, value: () => from(declared()) }),
      () => ({ schema: { ...base, additionalProperties: rest.schema }, value: () => from([...declared(), ...free()]) }),
      () => ({ schema: { ...base, additionalProperties: true }, value: () => from([...declared(), ["free key", anything()]]) }),
      () => ({ schema: { type: "object" }, value: () => from([["any", anything()]]) }),
      () => ({ schema: { type: "object", additionalProperties: rest.schema, propertyNames: { minLength: 1 } }, value: () => from(free()) }),
      () => ({
        schema: { type: "object", patternProperties: { "^f": rest.schema }, additionalProperties: false },
        value: () => from(free()),
      }),
    ])();
  }

  function union(depth: number): Sample {
    const branches = Array.from({ length: integer(2, 3) }, () => schema(depth - 1, false));
    return { schema: { [pick(["anyOf", "oneOf"])]: branches.map((branch) => branch.schema) }, value: () => pick(branches).value() };
  }

  function both(depth: number): Sample {
    const [left, right] = [object(depth, false), object(depth, false)];
    const value = (): unknown => ({ ...(left.value() as object), ...(right.value() as object) });
    return { schema: { allOf: [left.schema, right.schema] }, value };
  }

  function tree(): Sample {
    const value = (depth: number): unknown => ({
      value: pick(texts),
      ...(chance(0.7) && { children: Array.from({ length: depth > 0 ? integer(0, 2) : 0 }, () => value(depth - 1)) }),
    });
    return { schema: { $ref: "#/$defs/Node" }, value: () => value(5) };
  }

  function schema(depth: number, alone: boolean): Sample {
    if (depth <= 0 || chance(0.3)) return scalar();
    return pick([object, object, array, union, both, tree])(depth, alone);
  }

  const deep = chance(0.1) ? 14 : integer(1, 4);
  const root = pick([object, object, object, rootUnion, both])(deep);
  function rootUnion(depth: number): Sample {
    const branches = [object(depth, false), object(depth, false)];
    return { schema: { anyOf: branches.map((branch) => branch.schema) }, value: () => pick(branches).value() };
  }
  const node = {
    type: "object",
    properties: { value: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Node" } } },
    required: ["value"],
    additionalProperties: false,
  };
  return { schema: { ...root.schema, $defs: { Node: node } }, value: () => root.value() };
}

type Leading = (value: string) => string;

/** Ways for an expression to lead to an object: each takes one that does, and is one. `o` is the object itself. */
export const leading: readonly Leading[] = [
  (value) => `(${value} || {})`,
  (value) => `(null ?? ${value})`,
  (value) => `(1 && ${value})`,
  (value) => `(n > 0 ? ${value} : {})`,
  (value) => `[${value}][0]`,
  (value) => `[{}, ${value}].at(-1)`,
  (value) => `[[${value}]].flat()[0]`,
  (value) => `[${value}, {}].toSorted(() => 0)[0]`,
  (value) => `[${value}].find(() => true)`,
  (value) => `[${value}].filter(() => true)[0]`,
  (value) => `[${value}].map((x) => x)[0]`,
  (value) => `({ a: ${value} }).a`,
  (value) => `({ ...{ a: ${value} } }).a`,
  (value) => `Object.values({ a: ${value} })[0]`,
  (value) => `Object.fromEntries([["a", ${value}]]).a`,
  (value) => `Object.assign({}, { a: ${value} }).a`,
  (value) => `new Map([[1, ${value}]]).get(1)`,
  (value) => `[...new Set([${value}])][0]`,
  (value) => `((x) => x)(${value})`,
  (value) => `((x) => () => x)(${value})()`,
  (value) => `(({ a }) => a)({ a: ${value} })`,
  (value) => `((...all) => all[0])(${value})`,
  (value) => `same(${value})`,
  (value) => `wrap(${value})()`,
  (value) => `boxed(${value}).a`,
  (value) => `boxed(${value}).get()`,
  (value) => `new Box(${value}).a`,
  (value) => `new Box(${value}).get()`,
  (value) => `new Kept(${value}).a`,
  (value) => `calls((x) => x, ${value})`,
  (value) => `calls(same, ${value})`,
  (value) => `deep(3, ${value})`,
  (value) => `deep(12, ${value})`,
  (value) => `same.call(null, ${value})`,
  (value) => `same.apply(null, [${value}])`,
  (value) => `(await ${value})`,
  (value) => `(await later(${value}))`,
  (value) => `(await Promise.resolve(${value}))`,
  (value) => `(await Promise.all([${value}]))[0]`,
  (value) => `(structuredClone({ a: 1 }) && ${value})`,
];

/** The same within a function, where nothing can be awaited. */
export const leadingInside: readonly Leading[] = [
  (value) => `[1].map(() => ${value})[0]`,
  (value) => `[1].reduce(() => ${value}, {})`,
  (value) => `Array.from([1], () => ${value})[0]`,
  (value) => `(() => ${value})()`,
  (value) => `(() => { const t = ${value}; return t; })()`,
  (value) => `(() => { const t = { a: ${value} }; return t.a; })()`,
  (value) => `(() => { const t = []; t.push(${value}); return t[0]; })()`,
  (value) => `(() => { try { throw ${value}; } catch (e) { return e; } })()`,
  (value) => `(() => { for (const x of [${value}]) return x; })()`,
  (value) => `(await new Promise((done) => done(${value})))`,
  (value) => `({ get: () => ${value} }).get()`,
  (value) => `[() => ${value}][0]()`,
  (value) => `(await Promise.resolve(1).then(() => ${value}))`,
];

/** What a program begins with whose expressions lead to `o`. */
export const led = `
const n = 1, o = {}, l = [];
const same = (x) => x, wrap = (x) => () => x, later = async (x) => x, boxed = (x) => ({ a: x, get: () => x });
const calls = (f, x) => f(x), deep = (at, x) => (at > 0 ? deep(at - 1, x) : x);
class Box { constructor(x) { this.a = x; } get() { return this.a; } }
class Kept extends Box { constructor(x) { super(x); } }
const giveO = () => o, giveL = async () => o, box = new Box(o), table = { o }, list = [o], map = new Map([["o", o]]);
`;

/** What leads to the object at first. */
export const objects: readonly string[] = [
  "o",
  "giveO()",
  "await giveL()",
  "box.a",
  "box.get()",
  "table.o",
  "list[0]",
  "list.at(-1)",
  'map.get("o")',
];

/** Programs that write through what a secret chose. `CHOSEN` is the choice. */
export const writes: readonly string[] = [
  "const d = CHOSEN; if (d) d.x = 1;",
  "const d = CHOSEN; try { d.x = 1; } catch {}",
  "let d; d = CHOSEN; (d || {}).x = 1;",
  "const d = { at: CHOSEN }; if (d.at) d.at.x = 1;",
  "const d = [CHOSEN]; for (const one of d) if (one) one.x = 1;",
  "const f = (d) => { if (d) d.x = 1; }; f(CHOSEN);",
  "const f = async () => CHOSEN; const d = await f(); if (d) Object.assign(d, { x: 1 });",
];

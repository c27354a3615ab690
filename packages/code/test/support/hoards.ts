/** Programs that try to hold more than is counted. Each calls `look` again and again. */
export const hoards: Readonly<Record<string, string>> = {
  "short parts of long texts": 'const a = []; for (let i = 0; ; i++) { a.push(("x".repeat(2e4) + i).slice(-30)); await tools.look({}); }',
  "the last piece of a split":
    'const a = []; for (let i = 0; ; i++) { a.push(`${"x".repeat(2e4)},${"y".repeat(30)}${i}`.split(",")[1]); await tools.look({}); }',
  "what a pattern matched":
    'const a = []; for (let i = 0; ; i++) { a.push(("y".repeat(30) + i + "x".repeat(1e4)).match(/^y+\\d/)[0]); await tools.look({}); }',
  "keys of an object":
    'const o = {}; for (let i = 0; ; i++) { o[("x".repeat(2e4) + "abcdefghijklmn" + i).slice(-18)] = 1; await tools.look({}); }',
  "keys of a map":
    'const o = new Map(); for (let i = 0; ; i++) { o.set(("x".repeat(2e4) + "abcdefghijklmn" + i).slice(-18), 1); await tools.look({}); }',
  "variables of functions that wait":
    'const f = async (i) => { const s = ("x".repeat(2e4) + "abcdefghijklmn" + i).slice(-18); await new Promise(() => {}); return s; }; for (let i = 0; ; i++) { f(i); await tools.look({}); }',
  "what tools were given": "for (let i = 0; ; i++) await tools.look({ list: Array.from({ length: 5000 }, (_, k) => `item ${k + i}`) });",
  "rejections that nobody sees": 'for (let i = 0; ; i++) { Promise.reject(`${"x".repeat(1e4)}${i}`.slice(1)); await tools.look({}); }',
  patterns: 'const a = []; for (let i = 0; ; i++) { a.push(new RegExp("x".repeat(5000) + i)); await tools.look({}); }',
  "names of functions":
    'const a = []; for (let i = 0; ; i++) { const k = "x".repeat(1e4) + i; a.push({ [k]: () => 1 }[k]); await tools.look({}); }',
  "keys of functions":
    'const a = []; for (let i = 0; ; i++) { const f = () => 1; f["x".repeat(1e4) + i] = 1; a.push(f); await tools.look({}); }',
  "empty objects": "const a = []; for (let i = 0; ; i++) { a.push({}); if (i % 1000 === 0) await tools.look({}); }",
  "empty maps": "const a = []; for (let i = 0; ; i++) { a.push(new Map()); if (i % 1000 === 0) await tools.look({}); }",
  "functions that wait":
    "const p = new Promise(() => {}), f = async () => { await p; }; for (let i = 0; ; i++) { f(); if (i % 500 === 0) await tools.look({}); }",
  reactions: "const p = new Promise(() => {}); for (let i = 0; ; i++) { p.then(() => 1); if (i % 500 === 0) await tools.look({}); }",
};

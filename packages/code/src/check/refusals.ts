/** What the language leaves out, as a model would write it, with the way out. */
export interface Refusal {
  readonly what: string;
  readonly way: string;
}

/** Names that other environments have. */
export const refusedNames: ReadonlyMap<string, Refusal> = new Map(
  (
    [
      [
        ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "axios", "navigator", "caches"],
        "network access",
        "Use a tool; tools.search finds one.",
      ],
      [["require", "module", "exports", "__dirname", "__filename"], "modules", "Only `tools` are available; see tools.search."],
      [
        [
          "process",
          "Deno",
          "Bun",
          "Buffer",
          "global",
          "globalThis",
          "window",
          "self",
          "document",
          "localStorage",
          "sessionStorage",
          "indexedDB",
        ],
        "the environment around the program",
        "Use a tool; tools.search finds one.",
      ],
      [
        [
          "setTimeout",
          "setInterval",
          "setImmediate",
          "clearTimeout",
          "clearInterval",
          "clearImmediate",
          "queueMicrotask",
          "requestAnimationFrame",
        ],
        "timers",
        "There is nothing to wait for: await the call.",
      ],
      [["eval", "Function"], "code from text", "Write the code as part of the program."],
      [["Symbol"], "symbols", "Use texts as keys."],
      [["Proxy", "Reflect"], "proxies and reflection", "Use plain objects, Object.keys and Object.entries."],
      [["arguments"], "arguments", "Use ...args."],
      [["BigInt", "BigInt64Array", "BigUint64Array"], "BigInt", "Use numbers; they are exact up to 2 ** 53."],
      [["Intl"], "Intl", "Use toFixed, padStart, toISOString or toLocaleString()."],
      [["WeakMap", "WeakSet", "WeakRef", "FinalizationRegistry"], "weak collections", "Use Map or Set."],
      [
        [
          "ArrayBuffer",
          "SharedArrayBuffer",
          "DataView",
          "Atomics",
          "Int8Array",
          "Uint8Array",
          "Uint8ClampedArray",
          "Int16Array",
          "Uint16Array",
          "Int32Array",
          "Uint32Array",
          "Float32Array",
          "Float64Array",
        ],
        "typed arrays",
        "Use plain arrays of numbers.",
      ],
      [["URL", "URLSearchParams"], "URL objects", "Use split, encodeURIComponent and template texts."],
      [["TextEncoder", "TextDecoder", "atob", "btoa", "Blob", "File", "FormData"], "binary data", "Use a tool; tools.search finds one."],
      [
        ["crypto", "performance", "AbortController", "AbortSignal", "Worker", "WebAssembly", "Iterator", "AsyncIterator"],
        "this part of the platform",
        "Use a tool; tools.search finds one.",
      ],
      [["alert", "prompt", "confirm"], "dialogs", "Return what a person has to know, or use console.log."],
    ] as const
  ).flatMap(([names, what, way]) => names.map((name) => [name, { what, way }] as const)),
);

/** Static members of Object that show what lies below objects. */
export const refusedObjectMembers: ReadonlySet<string> = new Set([
  "create",
  "defineProperty",
  "defineProperties",
  "getOwnPropertyDescriptor",
  "getOwnPropertyDescriptors",
  "getOwnPropertyNames",
  "getOwnPropertySymbols",
  "getPrototypeOf",
  "setPrototypeOf",
  "preventExtensions",
  "isExtensible",
  "seal",
  "isSealed",
]);

export const refusedMembers: ReadonlyMap<string, Refusal> = new Map([
  ["__proto__", { what: "__proto__", way: "Use Object.keys, or a Map for keys of any kind." }],
  ["prototype", { what: "prototype", way: "Write a class with methods." }],
  ["__defineGetter__", { what: "__defineGetter__", way: "Use a method." }],
  ["__defineSetter__", { what: "__defineSetter__", way: "Use a method." }],
  ["__lookupGetter__", { what: "__lookupGetter__", way: "Use a method." }],
  ["__lookupSetter__", { what: "__lookupSetter__", way: "Use a method." }],
]);

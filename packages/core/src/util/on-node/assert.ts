/** Assertions for the contracts in `testing/`. */
export { default as assert } from "node:assert/strict";
export { AssertionError } from "node:assert";

import { describe } from "vitest";
import { createMemoryEngine } from "../src/engines/memory/memory.ts";
import { engineContract } from "../src/testing/engine-contract.ts";
import { runChecks } from "./_contract.ts";

describe("the memory engine", () => {
  runChecks(engineContract(createMemoryEngine));
});

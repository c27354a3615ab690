import type { ToolDefinition } from "@toolrack/core";

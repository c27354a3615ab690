// The public names of @toolrack/mcp, one by one: adding a line here is a decision.
export {};

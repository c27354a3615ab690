// The public names of @toolrack/tools, one by one: adding a line here is a decision.
export {};

// The public names of @toolrack/server, one by one: adding a line here is a decision.
export {};

import fc from "fast-check";

// A run that fails must fail again: property tests draw the same values each time. `FC_SEED=random npm test` looks further.
const wanted = process.env["FC_SEED"];
if (wanted !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted ?? 20_261_115) });

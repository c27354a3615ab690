/** A definition that waits for a person. */
export const waitingSchema = "toolrack.definition-waiting.v1";

/** The digest of all that a source listed, when all of it was on record and served. */
export const listingSchema = "toolrack.listing.v1";
/** What a source says to models beside its tools. */
export const textSchema = "source.text.v1";

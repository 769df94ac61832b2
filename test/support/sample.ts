/** True where tables of tests are run whole, as `make test-all` does. Otherwise each runs a sample that is fixed. */
export const WHOLE = process.env["WHOLE"] === "1";

/** Something that has already been reported to the user and ends the run. */
export class Bail extends Error {}

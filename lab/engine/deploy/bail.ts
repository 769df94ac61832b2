/** Something that has already been reported to the user and ends the run. */
export class Bail extends Error {}

/** A resource whose inputs are refused; that has been reported. */
export class InvalidResource extends Bail {}

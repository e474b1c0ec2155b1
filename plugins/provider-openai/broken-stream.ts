/** The stream broke a rule of the API: an event of the wrong shape, or no end. */
export class BrokenStream extends Error {}

/** The part of picomatch that is used here; the package brings no types of its own. */
declare module "picomatch" {
  interface Options {
    readonly dot?: boolean;
    /** A pattern without a slash is matched against the last part of the path. */
    readonly basename?: boolean;
    readonly noextglob?: boolean;
  }
  export default function picomatch(pattern: string, options?: Options): (path: string) => boolean;
}

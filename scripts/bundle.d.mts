/** @param options Absolute paths; `external` packages are left to Node, `apart` ones become files of their own. See there for the rest. */
export function bundle(options: {
  entry: string;
  outdir: string;
  version: string;
  external?: readonly string[];
  apart?: readonly string[];
  early?: (source: string) => boolean;
}): Promise<{ hash: string; files: { name: string; bytes: number }[] }>;

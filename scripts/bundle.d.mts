/** @param options Absolute paths; `external` packages are left to Node, `apart` ones become files of their own. */
export function bundle(options: {
  entry: string;
  outdir: string;
  version: string;
  external?: readonly string[];
  apart?: readonly string[];
}): Promise<{ hash: string; files: { name: string; bytes: number }[] }>;

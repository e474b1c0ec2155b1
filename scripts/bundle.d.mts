/** @param options Absolute paths; `external` packages are left to Node. */
export function bundle(options: {
  entry: string;
  outdir: string;
  version: string;
  external?: readonly string[];
}): Promise<{ hash: string; files: { name: string; bytes: number }[] }>;

import type { Place } from "@quire/core";
import type { Loaded } from "@quire/loader";

/** The place of this start as plugins see it, for their listings. It gives no environment to child processes. */
export function diskPlace({ host, place }: Pick<Loaded, "host" | "place">): Place {
  return {
    ...host.place(place.cwd),
    childEnv: () => ({}),
    list: (folder) => host.files.list(folder),
    async read(file, { maxBytes } = {}) {
      const bytes = await host.files.read(file, maxBytes);
      if (bytes === null) return null;
      // A character that is cut by the limit is no fault of the file.
      const stream = maxBytes !== undefined && bytes.length >= maxBytes;
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream });
    },
  };
}

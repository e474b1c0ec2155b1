import type { Loaded } from "@quire/loader";
import type { Streams } from "./output/streams.js";

/** Says in one line what an untrusted project brought and was not loaded. The exit code stays as it is. */
export function noteUntrusted(loaded: Pick<Loaded, "untrusted">, streams: Pick<Streams, "note">): void {
  if (loaded.untrusted.length === 0) return;
  const what = loaded.untrusted.map((line) => line.replaceAll(/\s+/g, " ")).join("; ");
  streams.note(`this project is not trusted, so not loaded: ${what}. --trust accepts it for one start`);
}

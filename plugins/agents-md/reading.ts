import type { Place, SessionEvent } from "@quire/core";
import { readerOf, type Reader } from "./read-text.js";

/** How one compute reads. */
export interface ReadingPlace {
  readonly read: Reader;
  readonly list: Place["list"];
}

/** Reads each file and folder once per session, and tells nobody when one changes. */
export interface SessionReading {
  /** Of every session event but its end. */
  begin(event: SessionEvent): void;
  end(session: string): void;
  /**
   * @param key The section's key: a compute with the key of the one before means that the value was thrown away, so
   * everything is read anew.
   */
  placeFor(
    context: Pick<Place, "read" | "list"> & { readonly session: { readonly id: string } },
    key: string,
  ): ReadingPlace;
}

export function createSessionReading(): SessionReading {
  /** A section's own place would notice changed folders; the one of the session's beginning does not. */
  const places = new Map<string, Pick<Place, "read" | "list">>();
  const kept = new Map<string, { key: string; readonly reading: ReadingPlace }>();
  return {
    begin(event) {
      places.set(event.session.id, event);
      kept.delete(event.session.id);
    },
    end(session) {
      places.delete(session);
      kept.delete(session);
    },
    placeFor(context, key) {
      const earlier = kept.get(context.session.id);
      if (earlier !== undefined && earlier.key !== key) {
        earlier.key = key;
        return earlier.reading;
      }
      const place = places.get(context.session.id) ?? context;
      const read = readerOf(place, false);
      const reading = {
        read: once((file: string, maxBytes: number) => read(file, maxBytes)),
        list: once((folder: string) => place.list(folder)),
      };
      kept.set(context.session.id, { key, reading });
      return reading;
    },
  };
}

function once<A extends readonly [string, ...unknown[]], R>(
  run: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  const results = new Map<string, Promise<R>>();
  return (...args) => {
    const found = results.get(args[0]) ?? run(...args);
    results.set(args[0], found);
    return found;
  };
}

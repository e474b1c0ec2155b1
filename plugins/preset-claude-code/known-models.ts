export interface KnownModel {
  readonly name: string;
  readonly family: string;
  /** Month and year up to which its knowledge is reliable. */
  readonly cutoff?: string;
}

/** By canonical name: the vendor's own id without date, region, platform version or context size. */
const cutoffs: Readonly<Record<string, string>> = {
  "claude-opus-4-6": "May 2025",
  "claude-sonnet-4-6": "August 2025",
  "claude-opus-4-5": "May 2025",
  "claude-haiku-4-5": "February 2025",
  "claude-sonnet-4-5": "January 2025",
  "claude-opus-4-1": "January 2025",
  "claude-opus-4": "January 2025",
  "claude-sonnet-4": "January 2025",
  "claude-3-7-sonnet": "October 2024",
  "claude-3-5-haiku": "July 2024",
  "claude-3-5-sonnet": "April 2024",
  "claude-3-opus": "August 2023",
  "claude-3-haiku": "August 2023",
};

/** What is known of a model by its id, however a platform spells it; undefined for a model of another family. */
export function knownModel(id: string): KnownModel | undefined {
  const canonical = canonicalName(id);
  if (canonical === undefined) return undefined;
  const parts = canonical.split("-").slice(1);
  const tier = parts.find((part) => /^[a-z]/.test(part)) ?? "";
  const family = `Claude ${parts.filter((part) => part !== tier).join(".")}`;
  const name = family.replace("Claude", `Claude ${tier.charAt(0).toUpperCase()}${tier.slice(1)}`);
  const cutoff = cutoffs[canonical];
  return { name, family, ...(cutoff === undefined ? {} : { cutoff }) };
}

function canonicalName(id: string): string | undefined {
  const plain = id.toLowerCase().replaceAll(/(?<=\d)\.(?=\d)/g, "-");
  const found = /claude-(?:[a-z]+-\d+(?:-\d{1,2})?|\d+(?:-\d{1,2})?-[a-z]+)(?![\da-z])/.exec(plain)?.[0];
  return found?.replace(/^(claude-[a-z]+-\d+)-0$/, "$1");
}

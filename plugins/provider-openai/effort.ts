const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** How long a model thinks. Which of them a model takes is its own affair. */
export type Effort = (typeof efforts)[number];

export function isEffort(value: unknown): value is Effort {
  return efforts.some((effort) => effort === value);
}

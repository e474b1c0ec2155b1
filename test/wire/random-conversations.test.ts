import { expect, test } from "vitest";
import { freezeDeep, randomConversation } from "@quire/testkit";
import { refusals, wireModes } from "./wire-modes.js";
import { missingIn } from "./missing-marks.js";

const seeds = Array.from({ length: 1000 }, (_, index) => index + 1);

test.for(wireModes)("$name: 1,000 random conversations pass its vendor's rules and lose nothing", (mode) => {
  const found: string[] = [];
  for (const seed of seeds) {
    const model = { provider: mode.provider.name, id: mode.model };
    const { request, marks } = randomConversation(seed, { model });
    freezeDeep(request);
    const wrong = refusals(mode, request).map(({ rule, message }) => `${rule}: ${message}`);
    const { body } = mode.provider.project(request);
    for (const problem of [...wrong, ...missingIn(body, marks, mode)]) found.push(`seed ${seed}: ${problem}`);
  }
  expect(found.slice(0, 10)).toEqual([]);
});

import { expect, test } from "vitest";
import { searchWord } from "./search-word.js";

test.for([
  { question: "What does this project do?", word: undefined },
  { question: "Where is providerError thrown, and by whom?", word: "providerError" },
  { question: "explain the retry logic please", word: "retry" },
  { question: "look at package.json.", word: "package.json" },
  { question: "Was macht die Größenprüfung?", word: "Größenprüfung" },
  { question: "", word: undefined },
])("finds $word in: $question", ({ question, word }) => expect(searchWord(question)).toBe(word));

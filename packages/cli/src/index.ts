export { promptDocument, type PromptDocument, type SectionEntry } from "./prompt/prompt-document.js";

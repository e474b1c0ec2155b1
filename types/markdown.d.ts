/** Prompt texts are Markdown files; the bundler and the test runner import them as strings. */
declare module "*.md" {
  const text: string;
  export default text;
}

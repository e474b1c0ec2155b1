import { readFile } from "node:fs/promises";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [
    {
      name: "markdown-as-text",
      enforce: "pre",
      async load(id) {
        const file = id.split("?")[0] ?? id;
        if (!file.endsWith(".md")) return undefined;
        return `export default ${JSON.stringify(await readFile(file, "utf8"))};`;
      },
    },
  ],
  resolve: { conditions: ["quire-source", "node", "import", "default"] },
  ssr: { resolve: { conditions: ["quire-source", "node", "import", "default"] } },
  test: {
    include: ["packages/**/*.test.ts", "plugins/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/fixtures/**"],
    testTimeout: 30_000,
    maxWorkers: 2,
  },
});

import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { createTestHost, startModelServer } from "@quire/testkit";
import type { Config } from "@quire/core";
import anthropic from "../../plugins/provider-anthropic/index.js";
import openai from "../../plugins/provider-openai/index.js";
import { startLoopbackProxy } from "../support/loopback-proxy.js";

const variables = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"];
const open: { close(): Promise<void> }[] = [];
const before = new Map(variables.map((name) => [name, process.env[name]]));

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

function opened<T extends { close(): Promise<void> }>(each: T): T {
  open.push(each);
  return each;
}

/** One turn at an endpoint of config. */
async function turn(api: string, baseUrl: string, network: Config = {}) {
  const host = await createTestHost({
    plugins: [anthropic, openai],
    config: { model: "gateway", network, providers: { gateway: { api, base_url: baseUrl, models: ["big"] } } },
    timeScale: 0.001,
    strict: false,
  });
  const result = await host.session.send("hi", AbortSignal.timeout(9000)).result;
  return { result, diagnostics: host.diagnostics };
}

const modes = [
  { api: "anthropic-messages", path: "" },
  { api: "openai-chat", path: "/v1" },
  { api: "openai-responses", path: "/v1" },
];

test.for(modes)(
  "$api goes through the proxy of HTTP_PROXY, and around it by NO_PROXY",
  async ({ api, path: under }) => {
    const server = opened(await startModelServer({ replies: ["one", "two"] }));
    const proxy = opened(await startLoopbackProxy());
    process.env["HTTP_PROXY"] = proxy.url;
    expect((await turn(api, `${server.url}${under}`)).result).toMatchObject({ text: "one" });
    expect(proxy.seen).toHaveLength(1);
    expect(proxy.seen[0]).toContain(`POST ${server.url}`);
    process.env["NO_PROXY"] = "example.com,127.0.0.1";
    expect((await turn(api, `${server.url}${under}`)).result).toMatchObject({ text: "two" });
    expect(proxy.seen).toHaveLength(1);
  },
);

test.for(modes)("$api goes through the proxy of config, with its password", async ({ api, path: under }) => {
  const server = opened(await startModelServer({ replies: ["one", "two"] }));
  const proxy = opened(await startLoopbackProxy("secret-of-the-proxy"));
  expect((await turn(api, `${server.url}${under}`, { proxy: proxy.url })).result).toMatchObject({ text: "one" });
  const wrong = await turn(api, `${server.url}${under}`, { proxy: proxy.url.replace("secret-of", "another") });
  expect(wrong.result.error).toMatchObject({ fix: "Check the proxy's user name and password" });
  expect(JSON.stringify(wrong)).not.toContain("another-the-proxy");
  expect(server.requests).toHaveLength(1);
});

test("a proxy that is not there is a broken connection, and its mending is named", async () => {
  const proxy = await startLoopbackProxy("secret-of-the-proxy");
  await proxy.close();
  const { result } = await turn("openai-chat", "http://127.0.0.1:4430/v1", { proxy: proxy.url });
  expect(result.error).toMatchObject({ code: "provider-connection", fix: expect.stringContaining("the proxy") });
  expect(JSON.stringify(result)).not.toContain("secret-of-the-proxy");
});

const fixture = (name: string) => path.resolve(import.meta.dirname, `../fixtures/tls/${name}`);

/** The scripted server behind TLS, with a certificate that nobody trusts by himself. */
async function startTlsFront(target: string) {
  const tls = { cert: readFileSync(fixture("cert.pem")), key: readFileSync(fixture("key.pem")) };
  const server = createServer(tls, (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => void chunks.push(chunk));
    incoming.on("end", () => {
      const headers = { "content-type": "application/json", authorization: incoming.headers.authorization ?? "" };
      void fetch(`${target}${incoming.url}`, { method: "POST", headers, body: Buffer.concat(chunks) }).then(
        async (answer) => {
          response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
          response.end(await answer.text());
        },
      );
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, close };
}

test("a certificate of one's own is trusted by ca_file alone, also through a tunnel of HTTPS_PROXY", async () => {
  const server = opened(await startModelServer({ replies: ["one", "two"] }));
  const front = opened(await startTlsFront(server.url));
  const refused = await turn("openai-chat", `${front.url}/v1`);
  expect(refused.result.error?.message).toMatch(/self-signed certificate/);
  const network = { ca_file: fixture("cert.pem") };
  expect((await turn("openai-chat", `${front.url}/v1`, network)).result).toMatchObject({ text: "one" });
  const proxy = opened(await startLoopbackProxy("pass"));
  process.env["HTTPS_PROXY"] = proxy.url;
  expect((await turn("openai-responses", `${front.url}/v1`, network)).result).toMatchObject({ text: "two" });
  expect(proxy.seen).toEqual([`CONNECT ${new URL(front.url).host}`]);
});

test("the password that a tunnel's proxy refuses is not tried again", async () => {
  const proxy = opened(await startLoopbackProxy("right"));
  process.env["HTTPS_PROXY"] = proxy.url.replace("right", "wrong");
  const { result } = await turn("anthropic-messages", "https://localhost:4430");
  expect(result.error).toMatchObject({ fix: "Check the proxy's user name and password" });
  expect(proxy.seen).toHaveLength(1);
});

test.for([
  { network: { ca_file: "/nowhere/ca.pem" }, wanted: "The certificates /nowhere/ca.pem cannot be read" },
  { network: { ca_file: fixture("README.md") }, wanted: "holds no certificate in PEM form" },
  { network: { ca_file: "ca.pem" }, wanted: "network.ca_file: must be an absolute path" },
  { network: { proxy: "socks5://x" }, wanted: "network.proxy: must begin with http" },
  { network: { first_byte_ms: 0 }, wanted: "network.first_byte_ms" },
  { network: { prxy: "http://x" }, wanted: "prxy" },
])("wrong settings of the network are named: $wanted", async ({ network, wanted }) => {
  const host = await createTestHost({ plugins: [openai], config: { model: "fake", network }, strict: false });
  expect(host.diagnostics.map(({ message }) => message).join("\n")).toContain(wanted);
});

test("longer limits than those of Node's fetch hold", async () => {
  const server = opened(await startModelServer({ replies: [{ text: "slow", delayMs: 5 }] }));
  const network = { first_byte_ms: 900_000, silence_ms: 900_000 };
  expect((await turn("openai-chat", server.openaiUrl, network)).result).toMatchObject({ text: "slow" });
});

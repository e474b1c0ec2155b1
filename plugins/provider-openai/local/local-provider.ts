import { ProviderError } from "@quire/core";
import type { Diagnostic, Model, Place, ProviderSpec } from "@quire/core";
import type { Network } from "../network/network.js";
import { openaiProvider, type LateSystem } from "../provider.js";
import { findServers, type LocalServer } from "./find-servers.js";

export interface LocalOptions {
  /** Where servers are looked for. */
  readonly ports: readonly number[];
  readonly network: Network;
  readonly late: LateSystem;
  report(diagnostic: Diagnostic): void;
}

/** What a server that says nothing is taken to hold: the least that leaves room for a conversation. */
const assumedContextTokens = 32_768;

/**
 * The model servers on this machine as one provider. They are looked for when the list of models is asked for, or a
 * model of theirs; never before. Of two that have a model the one on the first port serves. What does not say what it
 * is stands in no list, and serves who names its model.
 */
export function localProvider(env: Place["env"], options: LocalOptions): ProviderSpec {
  const { ports, network, late, report } = options;
  const at = (baseUrl: string): ProviderSpec =>
    openaiProvider({ name: "local", api: "openai-chat", baseUrl, models: [], tools: true, network }, env, late);
  const base = at("http://127.0.0.1/v1");
  let known: readonly LocalServer[] = [];
  const look = async (signal: AbortSignal): Promise<readonly LocalServer[]> => {
    const found = await findServers(ports, signal);
    signal.throwIfAborted();
    for (const server of found) if (!known.some(({ baseUrl }) => baseUrl === server.baseUrl)) report(greeting(server));
    return (known = found);
  };
  const serverOf = (model: string) => known.find(({ models }) => models.some(({ id }) => id === model));
  return {
    ...base,
    // A start that names no model asks for the list first: only then it is known.
    available: () => false,
    async models(signal): Promise<readonly Model[]> {
      const said = (await look(signal)).filter(({ kind }) => kind !== undefined);
      const ids = said.flatMap(({ models }) => models.map(({ id }) => id));
      return [...new Set(ids)].map((id) => ({ id }));
    },
    caps(model) {
      const said = serverOf(model)?.models.find(({ id }) => id === model)?.contextTokens;
      return { ...base.caps(model), contextTokens: said ?? assumedContextTokens };
    },
    async *stream(wire, signal) {
      const { model } = wire.body as { readonly model: string };
      if (serverOf(model) === undefined) await look(signal);
      const server = serverOf(model);
      if (server === undefined) throw missing(model, known, ports);
      yield* at(server.baseUrl).stream({ ...wire, url: `${server.baseUrl}/chat/completions` }, signal);
    },
  };
}

function greeting({ kind, baseUrl, models }: LocalServer): Diagnostic {
  const names = models.map(({ id }) => id).join(", ");
  return {
    code: "local-server",
    level: "info",
    message: `${kind ?? "A server that does not say what it is"} answers at ${baseUrl} with ${names || "no model"}`,
  };
}

function missing(model: string, known: readonly LocalServer[], ports: readonly number[]): ProviderError {
  const ids = known.flatMap(({ models }) => models.map(({ id }) => id));
  const where = ports.length === 0 ? "no port is named" : `ports ${ports.join(", ")}`;
  const message = `No model server on this machine has the model ${model} (${where})`;
  const fix =
    ids.length > 0
      ? `There are: ${ids.join(", ")}`
      : "Start Ollama, LM Studio, llama.cpp or vLLM, or name its port in the option local_ports of provider-openai";
  return new ProviderError({ code: "local-server-missing", level: "error", message, fix }, { status: 404 });
}

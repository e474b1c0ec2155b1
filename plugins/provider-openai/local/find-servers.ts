import * as z from "zod";

/** Usual ports: Ollama, LM Studio, llama.cpp, vLLM. */
export const usualPorts: readonly number[] = [11434, 1234, 8080, 8000];

/** The ports of a list such as `1234,8080`; undefined without one. What is no port is passed over. */
export function portsOf(list: string | undefined): readonly number[] | undefined {
  return list
    ?.split(",")
    .map(Number)
    .filter((port) => Number.isInteger(port) && port > 0 && port < 65_536);
}

/** A model server on this machine, as it says of itself. */
export interface LocalServer {
  /** With the `/v1`. */
  readonly baseUrl: string;
  /** Undefined: it has a list of models and does not say what it is. */
  readonly kind: "Ollama" | "LM Studio" | "llama.cpp" | "vLLM" | undefined;
  /** Models that answer; `contextTokens` where the server says it. */
  readonly models: readonly { readonly id: string; readonly contextTokens?: number }[];
}

/** Milliseconds a port has to answer; on this machine it takes a few. */
const patienceMs = 700;
const sizeLimit = 1_000_000;

const modelList = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      owned_by: z.unknown().optional(),
      max_model_len: z.unknown().optional(),
      meta: z.object({ n_ctx: z.unknown(), n_ctx_train: z.unknown() }).partial().nullish().catch(undefined),
    }),
  ),
});

/**
 * The model servers among the given ports of this machine, in the order of the ports. Each is asked for its list of
 * models and, where that does not tell, for what it is; nothing else is sent.
 */
export async function findServers(ports: readonly number[], signal: AbortSignal): Promise<readonly LocalServer[]> {
  const found = await Promise.all(ports.map((port) => askPort(port, signal)));
  return found.flatMap((server) => server ?? []);
}

async function askPort(port: number, signal: AbortSignal): Promise<LocalServer | undefined> {
  const origin = `http://127.0.0.1:${port}`;
  const parsed = modelList.safeParse(await ask(`${origin}/v1/models`, signal));
  if (!parsed.success) return undefined;
  const { data } = parsed.data;
  const models = data
    // They make vectors, not answers.
    .filter(({ id }) => !/embed/i.test(id))
    .map(({ id, max_model_len, meta }) => {
      const contextTokens = [max_model_len, meta?.n_ctx, meta?.n_ctx_train].find(isCount);
      return { id, ...(contextTokens === undefined ? {} : { contextTokens }) };
    });
  const owners = data.map(({ owned_by }) => owned_by);
  const kind = owners.includes("vllm")
    ? "vLLM"
    : owners.includes("llamacpp")
      ? "llama.cpp"
      : await kindOf(origin, signal);
  return { baseUrl: `${origin}/v1`, kind, models };
}

/** By the endpoint that only this server has. */
async function kindOf(origin: string, signal: AbortSignal): Promise<LocalServer["kind"]> {
  const [version, native] = await Promise.all([
    ask(`${origin}/api/version`, signal),
    ask(`${origin}/api/v0/models`, signal),
  ]);
  if (z.object({ version: z.string() }).safeParse(version).success) return "Ollama";
  const lmStudio = z.object({ data: z.array(z.object({ state: z.string() })).min(1) });
  return lmStudio.safeParse(native).success ? "LM Studio" : undefined;
}

/** @returns Undefined when nobody answers with JSON in time. */
async function ask(url: string, signal: AbortSignal): Promise<unknown> {
  try {
    const either = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    const response = await fetch(url, { signal: either, redirect: "error" });
    if (!response.ok || Number(response.headers.get("content-length") ?? 0) > sizeLimit) {
      await response.body?.cancel();
      return undefined;
    }
    return await response.json();
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

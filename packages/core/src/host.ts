import type { Host, HostOptions } from "./contracts/host.js";

/** Builds a host: orders the plugins, sets them up, closes the registries. */
export function createHost(options: HostOptions): Promise<Host> {
  return Promise.reject(new Error(`createHost: ${options.plugins.length}`));
}

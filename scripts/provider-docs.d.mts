/** docs/providers.md as it should be; asks the built command. */
export function providersPage(): Promise<string>;

import { clientLines } from './client-lines.js';
import type { OwnClient } from './own-client.js';

export interface RunningSandbox {
  readonly url: string;
  readonly clients: readonly OwnClient[];
}

/** What the sandbox prints once it answers requests. */
export const sandboxLines = ({ url, clients }: RunningSandbox): string => {
  const lines = clients.flatMap(clientLines);
  const width = Math.max(...lines.map(([name]) => name.length));
  return `Countersign sandbox: ${url}\n${lines.map(([name, value]) => `  ${name.padEnd(width)}  ${value}\n`).join('')}`;
};

/** The same for a program, as one line of JSON. */
export const sandboxJson = ({ url, clients }: RunningSandbox): string => `${JSON.stringify({ url, clients })}\n`;

import 'reflect-metadata';

import { HostileMember, type HostileTools } from './hostile-member.js';

/** What the drill tells this program, in this order. */
export type ToMember = { readonly join: HostileTools } | 'begin' | 'stop';

/** What the program answers: to `join` the client that it is a member of, to `stop` what it met. */
export type FromMember =
  | { readonly joined: string }
  | { readonly answers: readonly (readonly [string, readonly (readonly [number, number])[]])[]; readonly failures: readonly string[] };

const tell = (message: FromMember): void => void process.send!(message);

let member: HostileMember;
process.on('message', (message: ToMember) => {
  if (message === 'begin') member.begin();
  else if (message === 'stop') void stop();
  else void join(message.join);
});

const join = async (tools: HostileTools): Promise<void> => {
  member = await HostileMember.join(tools);
  tell({ joined: member.client.clientId });
};

const stop = async (): Promise<void> => {
  await member.stop();
  tell({ answers: [...member.answers].map(([deed, statuses]) => [deed, [...statuses]]), failures: member.failures });
  process.disconnect();
};

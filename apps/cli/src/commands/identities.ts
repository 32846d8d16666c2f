import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';

import type { JsonBody } from '../admin-api.js';
import { contextOf } from '../context.js';
import { UsageFailure } from '../failures.js';
import { fields, table } from '../table.js';
import { timeText } from '../times.js';

interface PersonOptions {
  readonly file?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly personalCode?: string;
  readonly dateOfBirth?: string;
  readonly country?: string;
  readonly email?: string;
  readonly phoneNumber?: string;
}

export const identityCommands = (program: Command): void => {
  const identities = program.command('identities').description('people who can log in');

  identities
    .command('list')
    .description('all people')
    .action(async (_options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const found = await api.all('/identities', 'identities');
      const rows = found.map(({ identityId, givenName, familyName, country, personalCode, dateOfBirth }) => [
        identityId,
        givenName,
        familyName,
        country,
        personalCode,
        dateOfBirth,
      ]);
      terminal.show({ identities: found }, table(['IDENTITY ID', 'GIVEN NAME', 'FAMILY NAME', 'COUNTRY', 'CODE', 'BORN'], rows));
    });

  identities
    .command('create')
    .description('register a person')
    .option('--file <path>', 'a JSON object with given_name, family_name, personal_code, …; - for the standard input, which no other user can read')
    .option('--given-name <name>', 'none where the person has one name, the family name')
    .option('--family-name <name>', 'none where the person has one name, the given name')
    .option('--personal-code <code>', '1 to 32 of A-Z a-z 0-9 - +; one person has one in a country')
    .option('--date-of-birth <date>', 'YYYY-MM-DD, or the known part of it: YYYY-MM or YYYY')
    .option('--country <code>', 'ISO 3166-1 alpha-2, such as EE, or XK')
    .option('--email <address>')
    .option('--phone-number <number>', 'E.164, with the leading +')
    .action(async (options: PersonOptions, command: Command) => {
      const person = await personIn(options);
      const { api, terminal } = await contextOf(command);
      const created = await api.post('/identities', person);
      terminal.show(created, fields({ 'identity ID': created['identityId'] }));
      terminal.note(`Give them a phone: npm run cli -- identities activation-code ${String(created['identityId'])}`);
    });

  identities
    .command('delete <identityId>')
    .description("erase a person's data for good; their devices, logins and signings under way end")
    .option('--yes', 'do not ask')
    .action(async (identityId: string, { yes = false }: { yes?: boolean }, command: Command) => {
      const { api, terminal } = await contextOf(command);
      await terminal.confirm(`The person ${identityId} is erased for good. Go on?`, yes);
      await api.delete(`/identities/${encodeURIComponent(identityId)}`);
      terminal.show({ identityId, erased: true }, `Erased ${identityId}.`);
    });

  identities
    .command('activation-code <identityId>')
    .description('a code for a new phone of this person: single-use, 15 minutes')
    .action(async (identityId: string, _options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const issued = await api.post(`/identities/${encodeURIComponent(identityId)}/activation-codes`);
      const { activationCode, expiresAt, link } = issued;
      terminal.show(issued, fields({ 'activation code': activationCode, 'good until': timeText(expiresAt), 'web phone': link }));
    });
};

const personIn = async ({ file, ...options }: PersonOptions): Promise<JsonBody> => {
  const given = {
    given_name: options.givenName,
    family_name: options.familyName,
    personal_code: options.personalCode,
    date_of_birth: options.dateOfBirth,
    country: options.country,
    email: options.email,
    phone_number: options.phoneNumber,
  };
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return file === undefined ? named : { ...(await objectFrom(file)), ...named };
};

const objectFrom = async (path: string): Promise<JsonBody> => {
  const json = await (path === '-' ? text(process.stdin) : readFile(path, 'utf8')).catch(() => {
    throw new UsageFailure(`--file: ${path} cannot be read`);
  });
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The error below reports it.
  }
  throw new UsageFailure('--file: must hold a JSON object');
};

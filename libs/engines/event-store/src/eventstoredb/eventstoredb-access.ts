import { createHash } from 'node:crypto';

import { MountedFile } from '#engines/access';

/** Credentials that a connection string leaves to files. */
export interface EventStoreDbAccess {
  /** The password of the connection string's user. */
  readonly passwordFile?: string | undefined;
  /** PEM: the server's CA, and the certificate of this service with its key. */
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

const PARTS = /^(?<scheme>esdb(?:\+discover)?:\/\/)(?:(?<credentials>[^/?@]*)@)?(?<hosts>[^/?@]+)\/?(?:\?(?<query>.*))?$/;

/**
 * The connection string with the password as the file holds it now, and with the names of the other files, which the client reads itself. The client takes
 * a string alone. Throws UnreadableFile.
 */
export const withAccess = (connectionString: string, { passwordFile, caFile, certFile, keyFile }: EventStoreDbAccess): string => {
  const parts = PARTS.exec(connectionString.trim())?.groups;
  if (!parts) return connectionString;
  const { scheme, credentials = '', hosts, query = '' } = parts;
  const files = { tlsCAFile: caFile, userCertFile: certFile, userKeyFile: keyFile };
  const named = Object.entries(files).flatMap(([name, path]) => (path === undefined ? [] : [`${name}=${encodeURIComponent(path)}`]));
  const given = query.split('&').filter((each) => each !== '' && !isReplaced(each, files));
  const options = [...given, ...named].join('&');
  const login = passwordFile === undefined ? credentials : `${credentials.split(':')[0]}:${encodeURIComponent(passwordIn(passwordFile))}`;
  return `${scheme}${login && `${login}@`}${hosts}${options && `?${options}`}`;
};

const isReplaced = (option: string, files: Readonly<Record<string, string | undefined>>): boolean =>
  Object.entries(files).some(([name, path]) => path !== undefined && option.toLowerCase().startsWith(`${name.toLowerCase()}=`));

const passwordIn = (path: string): string => new MountedFile('ESDB_PASSWORD_FILE', path).read();

/** Changes when the content of a file changes. An unreadable file counts as empty. */
export const versionOf = ({ passwordFile, caFile, certFile, keyFile }: EventStoreDbAccess): string => {
  const hash = createHash('sha256');
  for (const path of [passwordFile, caFile, certFile, keyFile]) hash.update(path === undefined ? '' : contentOf(path)).update('\0');
  return hash.digest('base64');
};

const contentOf = (path: string): string => {
  try {
    return new MountedFile('', path).read();
  } catch {
    return '';
  }
};

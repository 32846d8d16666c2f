import type { Metadata } from '@grpc/grpc-js';

import type { Log } from './log.js';

export interface User {
  readonly password: string;
  /** `$admins` and `$ops` are the server's own. */
  readonly groups: readonly string[];
}

/** By name. */
export type Users = Readonly<Record<string, User>>;

const ADMINS = '$admins';
const OPERATORS = '$ops';
/** The role of every user. */
const ALL = '$all';

/** The part of an access list that the server acts on: `$r` and `$w` name the roles that may read and write, one or several. */
interface AccessList {
  readonly $r?: string | readonly string[];
  readonly $w?: string | readonly string[];
}

/**
 * The rights of each user, as measured on a real EventStoreDB: a plain user may read and write every stream whose name does not begin with `$`,
 * and its metadata; `$all` only when the metadata of `$all` names a role of the user's; `$userStreamAcl` in the stream `$settings` replaces
 * the default for all user streams. Without users, as over a connection without TLS, all is allowed.
 */
export class Access {
  constructor(
    private readonly users: Users | undefined,
    private readonly log: Log,
    /** Called with a line for each refusal: who wanted what of which stream. */
    private readonly refused: (line: string) => void = () => undefined,
  ) {}

  mayRead(metadata: Metadata, stream: string): boolean {
    return this.#judge(metadata, stream, '$r');
  }

  mayWrite(metadata: Metadata, stream: string): boolean {
    return this.#judge(metadata, stream, '$w');
  }

  /** Scavenges and resignations: `$ops` and `$admins`. */
  mayOperate(authorization: string | undefined): boolean {
    const roles = rolesOf(this.users, authorization);
    return roles === 'unrestricted' || roles.includes(ADMINS) || roles.includes(OPERATORS);
  }

  #judge(metadata: Metadata, stream: string, right: '$r' | '$w'): boolean {
    const roles = rolesOf(this.users, metadata.get('authorization')[0]);
    const may = this.#may(roles, stream, right);
    if (!may)
      this.refused(
        `refused: ${right} of ${stream} to ${[roles].flat().join(', ') || 'nobody that is known'}, ${JSON.stringify(Object.keys(metadata.getMap()))}`,
      );
    return may;
  }

  #may(roles: readonly string[] | 'unrestricted', stream: string, right: '$r' | '$w'): boolean {
    if (roles === 'unrestricted' || roles.includes(ADMINS)) return true;
    if (roles.length === 0) return false;
    const original = stream.startsWith('$$') ? stream.slice(2) : stream;
    if (original.startsWith('$scavenges') && right === '$r' && roles.includes(OPERATORS)) return true;
    const allowed = this.#listOf(original)?.[right] ?? (original.startsWith('$') ? [] : (this.#defaultList()?.[right] ?? [ALL]));
    return [allowed].flat().some((role) => roles.includes(role));
  }

  #listOf(stream: string): AccessList | undefined {
    return this.#lastOf(`$$${stream}`)?.['$acl'] as AccessList | undefined;
  }

  #defaultList(): AccessList | undefined {
    return this.#lastOf('$settings')?.['$userStreamAcl'] as AccessList | undefined;
  }

  #lastOf(stream: string): Record<string, unknown> | undefined {
    const page = this.log.readStream({ stream, backwards: true, from: 0x7fff_ffff_ffff_fffen, limit: 1n });
    const last = typeof page === 'string' ? undefined : page.events[0];
    return last && (JSON.parse(Buffer.from(last.data).toString()) as Record<string, unknown>);
  }
}

/** The caller's roles: the user's name, its groups and that of every user. None for an unknown user or a wrong password. */
const rolesOf = (users: Users | undefined, authorization: unknown): readonly string[] | 'unrestricted' => {
  if (users === undefined) return 'unrestricted';
  if (typeof authorization !== 'string' || !authorization.startsWith('Basic ')) return [];
  const [name = '', ...password] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':');
  const user = Object.hasOwn(users, name) ? users[name] : undefined;
  return user?.password === password.join(':') ? [name, ALL, ...user.groups] : [];
};

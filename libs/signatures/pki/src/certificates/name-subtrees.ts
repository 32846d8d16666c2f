import { type GeneralName, NAME_FORM } from './general-names.js';
import { beginsWithName } from './same-name.js';

/** Letters, digits, hyphens and underscores, as the names of hosts are written. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const WILDCARD = '*.';
const IPV4_BYTES = 4;
const IPV6_BYTES = 16;

const text = ({ value }: GeneralName): string => value.toString('latin1');
const lower = (name: GeneralName): string => text(name).toLowerCase();
const isHost = (host: string): boolean => HOST.test(host);

/** The part before the only `@`, as it is, and the host after it in lower case. */
const mailboxOf = (name: GeneralName): { readonly local: string; readonly host: string } | undefined => {
  const [local = '', host, ...rest] = text(name).split('@');
  return host === undefined || rest.length > 0 || local === '' ? undefined : { local, host: host.toLowerCase() };
};

/** The host of a URI in lower case; undefined without one, and of an address (RFC 5280 §4.2.1.10). */
const hostOfUri = (name: GeneralName): string | undefined => {
  const host = URL.parse(text(name).replace(/^[^:]*:/, 'http:'))?.hostname;
  return host && isHost(host) && !/^[\d.]+$/.test(host) && /^[^:]+:\/\//.test(text(name)) ? host : undefined;
};

/** Whether a name of a form with constraints can be compared at all. One that cannot lies nowhere. */
export const isWellFormedName = (name: GeneralName): boolean => {
  switch (name.form) {
    case NAME_FORM.email:
      return isHost(mailboxOf(name)?.host ?? '');
    case NAME_FORM.dns:
      return isHost(lower(name).startsWith(WILDCARD) ? lower(name).slice(WILDCARD.length) : lower(name));
    case NAME_FORM.uri:
      return hostOfUri(name) !== undefined;
    case NAME_FORM.ip:
      return name.value.length === IPV4_BYTES || name.value.length === IPV6_BYTES;
    default:
      return name.form === NAME_FORM.directory;
  }
};

/** Whether the base of a subtree is written as RFC 5280 §4.2.1.10 has it. One of a form that is not understood may be anything. */
export const isWellFormedBase = (base: GeneralName): boolean => {
  switch (base.form) {
    case NAME_FORM.email:
      return text(base).includes('@') ? isWellFormedName(base) : isDomainOrHost(lower(base));
    case NAME_FORM.dns:
      return base.value.length === 0 || isHost(lower(base));
    case NAME_FORM.uri:
      return isDomainOrHost(lower(base));
    case NAME_FORM.ip:
      return base.value.length === 2 * IPV4_BYTES || base.value.length === 2 * IPV6_BYTES;
    default:
      return true;
  }
};

const isDomainOrHost = (name: string): boolean => name === '' || isHost(name.startsWith('.') ? name.slice(1) : name);

/** Whether the name lies in the subtree. Both are of one form and well formed. */
export const isIn = (name: GeneralName, base: GeneralName): boolean => {
  switch (base.form) {
    case NAME_FORM.email:
      return isMailboxIn(name, base);
    case NAME_FORM.dns:
      return isBelow(lower(name).startsWith(WILDCARD) ? lower(name).slice(WILDCARD.length) : lower(name), lower(base));
    case NAME_FORM.uri:
      return isHostIn(hostOfUri(name) ?? '', lower(base));
    case NAME_FORM.ip:
      return isAddressIn(name.value, base.value);
    default:
      return base.form === NAME_FORM.directory && beginsWithName(name.value, base.value);
  }
};

/** As {@link isIn}, for excluded subtrees: a wildcard lies also where one of its hosts does, and a name of a form that is not understood everywhere. */
export const mayBeIn = (name: GeneralName, base: GeneralName): boolean => {
  if (base.form === NAME_FORM.dns && lower(name).startsWith(WILDCARD)) {
    const parent = lower(name).slice(WILDCARD.length);
    return isBelow(parent, lower(base)) || isBelow(lower(base), parent);
  }
  return isIn(name, base) || !Object.values<number>(NAME_FORM).includes(base.form);
};

const isBelow = (host: string, base: string): boolean => base === '' || host === base || host.endsWith(`.${base}`);

const isMailboxIn = (name: GeneralName, base: GeneralName): boolean => {
  const [mailbox, wanted] = [mailboxOf(name), mailboxOf(base)];
  if (!mailbox) return false;
  // every character counts, an asterisk too
  return wanted ? wanted.local === mailbox.local && wanted.host === mailbox.host : isHostIn(mailbox.host, lower(base));
};

/** One host, or with a period in front every host below it. */
const isHostIn = (host: string, base: string): boolean => base === '' || (base.startsWith('.') ? host.endsWith(base) : host === base);

const isAddressIn = (address: Buffer, base: Buffer): boolean => {
  if (base.length !== 2 * address.length) return false;
  return address.every((octet, at) => (octet & (base[address.length + at] ?? 0)) === ((base[at] ?? 0) & (base[address.length + at] ?? 0)));
};

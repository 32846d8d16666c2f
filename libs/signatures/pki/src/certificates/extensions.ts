import { TAG } from '../der/der.js';
import type { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';

/** One extension of a certificate, unread. */
export interface Extension {
  readonly critical: boolean;
  readonly value: Buffer;
}

/** `[3]` Extensions of a certificate (RFC 5280 §4.1.2.9), by object identifier; empty when there are none. Throws {@link MalformedDer}. */
export const readExtensions = (reader: DerReader | undefined): ReadonlyMap<string, Extension> => {
  const extensions = new Map<string, Extension>();
  for (const extension of reader?.only(TAG.constructed(3)).members(TAG.sequence) ?? []) {
    const fields = extension.fields();
    const type = fields.take().oid();
    const critical = fields.maybe(TAG.boolean)?.boolean() ?? false;
    const value = fields.take().octets();
    fields.end();
    if (extensions.has(type)) throw new MalformedDer('an extension twice');
    extensions.set(type, { critical, value });
  }
  return extensions;
};

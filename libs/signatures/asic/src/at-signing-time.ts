import { attribute, DerReader, encode, MalformedDer, OID, raw, setOf, TAG, time } from '#signatures/pki';

const MAX_ATTRIBUTES_BYTES = 16 * 1024;

/** The same signed attributes with another signing time (epoch milliseconds; whole seconds are signed). Throws MalformedDer. */
export const atSigningTime = (toBeSigned: Uint8Array, signingTime: number): Buffer => {
  const attributes = DerReader.parse(toBeSigned, MAX_ATTRIBUTES_BYTES).members(TAG.set);
  const isTime = (one: DerReader): boolean => one.fields().take().oid() === OID.signingTime;
  if (attributes.filter(isTime).length !== 1) throw new MalformedDer('one signing time expected');
  return encode(setOf(...attributes.map((one) => (isTime(one) ? attribute(OID.signingTime, time(signingTime)) : raw(one.bytes)))));
};

import { mutateBytes } from './mutate-bytes.js';
import type { Random } from './random.js';

type Change = (xml: string, random: Random) => string;

const REFERENCE = /<asic:DataObjectReference .*<\/asic:DataObjectReference>/;

const CHANGES: readonly Change[] = [
  (xml, random) => mutateBytes(Buffer.from(xml), random).toString(),
  (xml) => xml.replace('?>', '?>\n'),
  (xml) => xml.replace(/<\?xml.*\?>/, ''),
  (xml) => xml.replace(' standalone="no"', ''),
  (xml) => xml.replaceAll('asic:', 'a:').replace('xmlns:asic', 'xmlns:a'),
  (xml) => xml.replace('?>', '?><!-- a comment -->'),
  (xml) => xml.replace('?>', '?><!DOCTYPE asic:ASiCManifest [<!ENTITY e "detached-file">]>'),
  (xml) => xml.replace(REFERENCE, '$&$&'),
  (xml) => xml.replace(REFERENCE, ''),
  (xml) => xml.replace(/(<asic:SigReference [^>]*>)(.*)(<\/asic:ASiCManifest>)/, '$2$1$3'),
  (xml) => xml.replace(/(<asic:SigReference [^>]*>)/, '$1$1'),
  (xml) => xml.replaceAll('xmlenc#sha512', 'xmlenc#sha256'),
  (xml) => xml.replace(/ MimeType="application\/octet-stream"/, ''),
  (xml) => xml.replace(/%20/, ' '),
  (xml) => xml.replace(/%20/, '+'),
  (xml) => xml.replace(/%22/, '%2522'),
  (xml) => xml.replace(/%([0-9A-F]{2})/g, (all) => all.toLowerCase()),
  (xml) => xml.replace(/URI="(?!META)/, 'URI="./'),
  (xml) => xml.replace(/URI="(?!META)/, 'URI="/'),
  (xml) => xml.replace('URI="META-INF/', 'URI="meta-inf/'),
  (xml) => xml.replace('URI="META-INF/', 'URI="./META-INF/'),
  (xml) => xml.replace(/DigestValue>/, 'DigestValue> '),
  (xml) => xml.replace(/<ds:DigestValue>(.)/, '<ds:DigestValue>A'),
  (xml) => xml.replace('<asic:DataObjectReference ', '<asic:DataObjectReference Rootfile="true" '),
  (xml) => xml.replace('</asic:ASiCManifest>', '<asic:ASiCManifestExtensions/></asic:ASiCManifest>'),
  (xml) => `\uFEFF${xml}`,
  (xml) => `${xml}\n`,
];

/** A manifest with one change, which may mean the same as before. */
export const mutateManifest = (xml: string, random: Random): string => random.pick(CHANGES)(xml, random);

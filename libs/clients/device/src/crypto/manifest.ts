import { type Bytes, fromHex, toBase64, utf8 } from './bytes.js';

/** The values on the screen that the signature covers. */
export interface Shown {
  readonly documents: readonly { readonly name: string; readonly hash: string }[];
  readonly relyingPartyName: string;
  readonly title?: string;
}

/**
 * The one ASiCManifest that says "these names and hashes, for this relying party", byte for byte (specification/signing.md#the-manifest;
 * ETSI EN 319 162-1). Building it again and comparing bytes excludes anything in the manifest that is not on the screen.
 */
export const expectedManifest = ({ documents, relyingPartyName, title }: Shown): Bytes =>
  utf8(
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' +
      '<asic:ASiCManifest xmlns:asic="http://uri.etsi.org/02918/v1.2.1#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">' +
      '<asic:SigReference MimeType="application/pkcs7-signature" URI="META-INF/signature001.p7s"/>' +
      documents
        .map(
          ({ name, hash }) =>
            `<asic:DataObjectReference MimeType="application/octet-stream" URI="${dataUri(name)}">` +
            '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha512"/>' +
            `<ds:DigestValue>${toBase64(fromHex(hash))}</ds:DigestValue></asic:DataObjectReference>`,
        )
        .join('') +
      '<asic:ASiCManifestExtensions><asic:Extension Critical="false">' +
      `<cs:Request xmlns:cs="urn:oid:1.3.6.1.4.1.32473.1.2" RelyingParty="${dataUri(relyingPartyName)}"` +
      `${title === undefined ? '' : ` Title="${dataUri(title)}"`}/></asic:Extension></asic:ASiCManifestExtensions></asic:ASiCManifest>`,
  );

/** The name as one percent-encoded path segment; nothing is left in it that XML would have to escape. */
const dataUri = (name: string): string =>
  encodeURIComponent(name).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

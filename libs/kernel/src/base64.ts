/** The bytes of base64url without padding (RFC 4648 section 5), or undefined for anything that is not exactly that. */
export const fromBase64url = (text: string): Buffer | undefined => decode(text, 'base64url');

/** The bytes of padded standard base64 (RFC 4648 section 4), or undefined for anything that is not exactly that. */
export const fromBase64 = (text: string): Buffer | undefined => decode(text, 'base64');

// Node's decoder skips characters that it does not know: a text is valid only if its bytes encode to the same text.
const decode = (text: string, encoding: 'base64' | 'base64url'): Buffer | undefined => {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
};

export type HashName = 'sha256' | 'sha384' | 'sha512';

/** How a signature is made. */
export interface SignatureScheme {
  /** Node's name of the key's type. */
  readonly key: 'ec' | 'rsa';
  readonly hash: HashName;
  /** Bytes of salt; absent for other paddings than that of RSASSA-PSS. */
  readonly saltLength?: number;
}

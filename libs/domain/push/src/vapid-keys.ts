/** The key pair that identifies the service to push services (RFC 8292), in base64url without padding. */
export interface VapidKeys {
  /** An uncompressed point of P-256. Browsers bind a subscription to it. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** `mailto:` or `https:`: where the owner of a push service reaches the operator. */
  readonly subject: string;
}

/** The session of a QR payload or of a link that carries one. */
export const sessionIn = (link: string): string => /sessionId=([0-9a-f-]{36})/.exec(link)?.[1] ?? '';

/** The payload as in specification/login-ui.md#qr-payload. */
export const payloadOf = (sessionId: string, returnUrl: string): string =>
  `countersign://app/scan?sessionId=${sessionId}&returnUrl=${encodeURIComponent(returnUrl)}`;

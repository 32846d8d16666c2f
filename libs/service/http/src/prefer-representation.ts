/** Whether `Prefer: return=representation` asks for the whole resource in the answer (RFC 7240 §4.2). */
export const prefersRepresentation = (header: string | readonly string[] | undefined): boolean =>
  String(header ?? '')
    .split(',')
    .some((preference) => /^\s*return\s*=\s*"?representation"?\s*(?:;.*)?$/i.test(preference));

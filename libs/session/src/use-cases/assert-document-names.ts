import { collidingName, isSignedDataName } from '#asic';
import { InvalidRequest } from '#kernel';

import type { SessionRequest } from '../domain/session-request.js';

const FILE_NAME =
  'must be the name of a file: 1 to 255 characters without control characters, `/` and `\\`, and not `.`, `..`, `mimetype` or `META-INF`';

/**
 * The files must be able to lie in the container together, beside its own entries (specification/signing.md#names-of-files).
 * Throws {@link InvalidRequest} naming the parameter.
 */
export const assertDocumentNames = ({ signedDataName, documents = [] }: SessionRequest): void => {
  if (signedDataName !== undefined && !isSignedDataName(signedDataName)) throw new InvalidRequest(`\`signed_data_name\` ${FILE_NAME}`);
  const wrong = documents.findIndex(({ name }) => !isSignedDataName(name));
  if (wrong >= 0) throw new InvalidRequest(`the name in \`documents\`[${wrong}] ${FILE_NAME}`);
  if (collidingName(documents.map(({ name }) => name)) !== undefined)
    throw new InvalidRequest(
      'two names in `documents` are one to a file system: they differ at most in case, Unicode form, or dots and blanks at the end',
    );
};

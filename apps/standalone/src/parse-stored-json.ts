import { InvalidSettings } from '#service/config';

/** The JSON content of a file in `DATA_DIR`. Throws {@link InvalidSettings} when the text is not JSON: the file is damaged. */
export const parseStoredJson = (path: string, content: string): unknown => {
  try {
    return JSON.parse(content);
  } catch {
    throw new InvalidSettings([`DATA_DIR holds ${path}, which is not valid JSON. Remove the file; the next start makes a new one.`]);
  }
};

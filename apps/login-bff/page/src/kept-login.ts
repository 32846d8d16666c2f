/** The key of sessionStorage under which this tab keeps its login over a reload. */
export const KEPT_LOGIN = 'countersign.login';

/** Whether this tab keeps a login; false if the browser refuses storage. */
export const hasKeptLogin = (): boolean => {
  try {
    return sessionStorage.getItem(KEPT_LOGIN) !== null;
  } catch {
    return false;
  }
};

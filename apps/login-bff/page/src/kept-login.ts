/** Where this tab keeps its login over a reload. */
export const KEPT_LOGIN = 'countersign.login';

/** Whether this tab keeps one. Where storage is refused there is none. */
export const hasKeptLogin = (): boolean => {
  try {
    return sessionStorage.getItem(KEPT_LOGIN) !== null;
  } catch {
    return false;
  }
};

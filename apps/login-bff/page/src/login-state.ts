import type { AnsweredReply } from '#web-page/browser';
import type { CancelReason, LoginDetails, StatusAnswer } from './hosted-api.js';

/** The one login this page shows. Little is known of it when an older page, or another one, kept it. */
export type Login = Pick<LoginDetails, 'sessionId'> & Partial<Omit<LoginDetails, 'sessionId' | 'status' | 'reason' | 'qrPayload'>>;

/** Why the wait is over. */
export type End =
  | 'DECLINED'
  /** Another code was chosen on the phone than this page showed. */
  | 'WRONG_CODE'
  /** Cancelled on this page, or by the relying party. */
  | 'WITHDRAWN'
  /** The PIN was right, but no container could be built. */
  | 'SIGNING_FAILED'
  | 'EXPIRED'
  /** Another login was started in this browser. */
  | 'CONTINUED_ELSEWHERE'
  /** The browser has not sent the cookie that the claim of this page set, or it keeps no cookies at all. */
  | 'COOKIES_NEEDED'
  /** The browser had the cookie before: another window finished or replaced the login, or the cookies were deleted. */
  | 'COOKIE_GONE'
  /** The app returned to a browser that does not hold this login. */
  | 'OTHER_BROWSER'
  /** As OTHER_BROWSER, after a link: the other browser does not go on either, since only this one has the return token. */
  | 'LINK_FROM_ELSEWHERE'
  | 'INVALID_HANDOFF'
  | 'ALREADY_COMPLETED'
  /** The login was opened by a link: it goes on in the browser that the app opens. */
  | 'GOES_ON_BY_THE_APP'
  /** Another number was typed than the phone showed, or it was too late. */
  | 'WRONG_NUMBER'
  /** Opened without a token and without a login. */
  | 'NOTHING_TO_DO'
  | 'FAILED';

export type LoginState =
  | { readonly kind: 'STARTING' }
  | { readonly kind: 'WAITING'; readonly login: Login; readonly qrPayload?: string }
  | { readonly kind: 'SCANNED'; readonly login: Login }
  | { readonly kind: 'COMPLETING'; readonly login: Login }
  /** Opened by a link: it goes on by the app, or here by the number that the phone shows. */
  | { readonly kind: 'NUMBER'; readonly login: Login }
  | { readonly kind: 'REDIRECTING'; readonly login: Login; readonly redirect: string }
  /** Over; the reason is not known yet. */
  | { readonly kind: 'CANCELLED'; readonly login: Login }
  | { readonly kind: 'ENDED'; readonly end: End; readonly login?: Login };

export const loginOf = ({ status: _, reason: __, qrPayload: ___, ...login }: LoginDetails): Login => login;

export const afterClaim = (reply: AnsweredReply<LoginDetails>): LoginState => {
  if (reply.kind === 'OK') {
    const { qrPayload } = reply.body;
    return { kind: 'WAITING', login: loginOf(reply.body), ...(qrPayload === undefined ? {} : { qrPayload }) };
  }
  return { kind: 'ENDED', end: reply.errorCode === 'invalid_handoff' ? 'INVALID_HANDOFF' : 'FAILED' };
};

/** @param cookieExpected whether this browser should have got the cookie just now, by the claim of this page, and has never sent it */
export const afterStatus = (login: Login, reply: AnsweredReply<StatusAnswer>, cookieExpected: boolean): LoginState => {
  if (reply.kind === 'REFUSED') return { kind: 'ENDED', end: refusal(reply, cookieExpected), login };
  const { status, expiresAt, qrPayload } = reply.body;
  const known = expiresAt === undefined ? login : { ...login, expiresAt };
  switch (status) {
    case 'PENDING':
      return { kind: 'WAITING', login: known, ...(qrPayload === undefined ? {} : { qrPayload }) };
    case 'SCANNED':
      return { kind: 'SCANNED', login: known };
    // A signing session is never CONFIRMED; at COMPLETED the completion answers the redirect (specification/sessions.md#completion-of-a-signing-session).
    case 'CONFIRMED':
    case 'COMPLETED':
      return { kind: 'COMPLETING', login: known };
    case 'CANCELLED':
      return { kind: 'CANCELLED', login };
    case 'EXPIRED':
      return { kind: 'ENDED', end: 'EXPIRED', login };
  }
};

/** The ends that a client with OpenID Connect learns of. With any other one the login may still go on elsewhere. */
const TOLD_ENDS: ReadonlySet<End> = new Set(['DECLINED', 'WRONG_CODE', 'WITHDRAWN', 'EXPIRED', 'WRONG_NUMBER']);

/** Where the browser goes after the end, if the login began through OpenID Connect. */
export const afterEnd = (state: LoginState): LoginState => {
  if (state.kind !== 'ENDED' || !TOLD_ENDS.has(state.end)) return state;
  const { login, end } = state;
  if (login?.endUrl === undefined) return state;
  return { kind: 'REDIRECTING', login, redirect: end === 'EXPIRED' ? `${login.endUrl}&error_description=time%20is%20up` : login.endUrl };
};

/** If the reason is not known, the page says only that the request was declined. */
export const afterCancel = (login: Login, reason: CancelReason = 'DECLINED'): LoginState => ({ kind: 'ENDED', end: reason, login });

export const afterCompletion = (login: Login, reply: AnsweredReply<string>): LoginState => {
  if (reply.kind === 'OK') return { kind: 'REDIRECTING', login, redirect: reply.body };
  if (reply.errorCode === 'return_token_required' && login.finishByNumber) return { kind: 'NUMBER', login };
  return { kind: 'ENDED', end: refusal(reply, false), login };
};

export const afterNumber = (login: Login, reply: AnsweredReply<string>): LoginState => {
  if (reply.kind === 'OK') return { kind: 'REDIRECTING', login, redirect: reply.body };
  return { kind: 'ENDED', end: reply.errorCode === 'return_token_required' ? 'WRONG_NUMBER' : refusal(reply, false), login };
};

const refusal = (reply: { readonly errorCode?: string }, cookieExpected: boolean): End => {
  switch (reply.errorCode) {
    case 'session_superseded':
      return 'CONTINUED_ELSEWHERE';
    case 'no_login_cookie':
      return cookieExpected ? 'COOKIES_NEEDED' : 'COOKIE_GONE';
    case 'session_already_completed':
      return 'ALREADY_COMPLETED';
    case 'return_token_required':
      return 'GOES_ON_BY_THE_APP';
    case 'session_not_found':
      return 'EXPIRED';
    default:
      return 'FAILED';
  }
};

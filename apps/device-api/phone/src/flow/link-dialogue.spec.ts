import type { SessionPreview } from '#clients/device';
import type { Reply } from '#web-page/browser';
import type { Entry } from './entry.js';
import { atPin, LINK, ok, phoneWith, PREVIEW, refused, REQUEST, RETURN, SCAN, SESSION, UNREACHABLE, usePhones } from './testing/scripted-phone.js';

usePhones();

const OTHER = '00000000-0000-4000-8000-000000000001';
const OTHER_LINK: Entry = { kind: 'SCAN', link: { sessionId: OTHER } };

/** Previews that the test answers one by one. */
const heldPreviews = () => {
  const answers: ((reply: Reply<SessionPreview>) => void)[] = [];
  return { answers, preview: () => new Promise<Reply<SessionPreview>>((resolve) => answers.push(resolve)) };
};

describe('a request that comes by a link', () => {
  it('names who asks, and scans only after a tap', async () => {
    const { phone, calls, last, kinds } = phoneWith({ scan: ok(REQUEST) });
    await phone.start(SCAN);
    expect(calls).toEqual([`preview ${SESSION}`]);
    expect(last()).toMatchObject({ kind: 'PREVIEW', preview: PREVIEW });
    await phone.links.proceed();
    expect(calls).toEqual([`preview ${SESSION}`, `scan true ${RETURN} link`]);
    expect(kinds()).toEqual(['LOOKING', 'PREVIEW', 'OPENING', 'CONSENT']);
  });

  it('is asked about when it is pasted, and not when the camera or the inbox brings it', async () => {
    const { phone, calls } = phoneWith({ scan: ok(REQUEST) });
    await phone.start(undefined);
    await phone.takeText(LINK);
    await phone.links.proceed();
    phone.home();
    await phone.takeText(LINK, { byCamera: true });
    phone.home();
    await phone.open({ link: { sessionId: SESSION }, arrival: 'INBOX' });
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['preview', 'scan', 'scan', 'scan']);
  });

  it('leaves no trace when it is put off, nor when the page is left', async () => {
    const { phone, calls, left, last, memories } = phoneWith();
    await phone.start(SCAN);
    phone.leave();
    expect(last()).toMatchObject({ kind: 'PREVIEW' });
    phone.links.putOff();
    expect(last()).toMatchObject({ kind: 'HOME' });
    await phone.links.proceed();
    expect([calls, left, memories]).toEqual([[`preview ${SESSION}`], [], []]);
  });

  it('with a code that changes takes the admission of the preview to the scan', async () => {
    const { phone, calls } = phoneWith({ preview: ok({ ...PREVIEW, admission: 'fresh' }), scan: UNREACHABLE });
    await phone.start({ kind: 'SCAN', link: { sessionId: SESSION, t: 3, a: 'x' } });
    await phone.links.proceed();
    await phone.tryAgain();
    expect(calls).toEqual([`preview ${SESSION}`, 'scan true undefined link fresh', 'scan true undefined link fresh']);
  });

  it.each([
    [refused(404, 'session_not_found'), 'NOT_KNOWN'],
    [refused(409, 'session_already_scanned'), 'USED_ON_ANOTHER_PHONE'],
    [refused(410, 'session_expired'), 'EXPIRED'],
    [refused(400, 'invalid_qr'), 'CODE_TOO_OLD'],
    [refused(400, 'invalid_request'), 'FAILED'],
  ] as const)('ends clearly when the preview answers %j', async (preview, outcome) => {
    const { phone, last } = phoneWith({ preview });
    await phone.start(SCAN);
    expect(last()).toEqual({ kind: 'OUTCOME', outcome, arrival: 'LINK' });
  });

  it('is asked about again when the preview got no answer', async () => {
    const answers: Reply<SessionPreview>[] = [UNREACHABLE, ok(PREVIEW)];
    const { phone, calls, last } = phoneWith({ preview: () => Promise.resolve(answers.shift()!) });
    await phone.start(SCAN);
    expect(last()).toMatchObject({ outcome: 'UNREACHABLE' });
    await phone.tryAgain();
    expect(last()).toMatchObject({ kind: 'PREVIEW' });
    expect(calls).toEqual([`preview ${SESSION}`, `preview ${SESSION}`]);
  });

  it('shows that the service has revoked the phone', async () => {
    const { phone, last } = phoneWith({ preview: refused(401, 'invalid_device_proof', { now: 0 }) });
    await phone.start(SCAN);
    expect(last()).toEqual({ kind: 'REVOKED' });
  });

  it('gives way to a newer link, however late its own answer comes', async () => {
    const { answers, preview } = heldPreviews();
    const { phone, last, calls } = phoneWith({ preview });
    await phone.start(undefined);
    const first = phone.take(SCAN);
    const second = phone.take(OTHER_LINK);
    answers[1]!(ok({ ...PREVIEW, relyingPartyName: 'Newer' }));
    await second;
    answers[0]!(ok(PREVIEW));
    await first;
    expect(last()).toMatchObject({ kind: 'PREVIEW', preview: { relyingPartyName: 'Newer' }, opened: { link: { sessionId: OTHER } } });
    expect(calls).toEqual([`preview ${SESSION}`, `preview ${OTHER}`]);
  });
});

describe('given an open request, a link', () => {
  it('declines nothing before the tap; put off, the request is as it was', async () => {
    const { phone, left, last, calls } = await atPin({ confirm: [ok({})] });
    await phone.take(OTHER_LINK);
    expect(last()).toMatchObject({ kind: 'PREVIEW', interrupted: { kind: 'PIN', request: REQUEST } });
    await phone.take(SCAN);
    phone.links.putOff();
    expect(last()).toMatchObject({ kind: 'PIN', request: REQUEST });
    expect(left).toEqual([]);
    await phone.confirm('2580');
    expect(last()).toMatchObject({ outcome: 'CONFIRMED', returnTo: RETURN });
    expect(calls.filter((call) => call.startsWith('scan'))).toHaveLength(1);
  });

  it('declines it with the tap, and is scanned then', async () => {
    const { phone, left, last } = await atPin({});
    await phone.take(OTHER_LINK);
    await phone.links.proceed();
    expect(left).toEqual([`leave ${SESSION}`]);
    expect(last()).toMatchObject({ kind: 'OUTCOME', outcome: 'NOT_WHAT_IT_SAYS' });
  });

  it('changes nothing when its preview is refused', async () => {
    const answers: Reply<SessionPreview>[] = [ok(PREVIEW), refused(404, 'session_not_found'), UNREACHABLE];
    const { phone, left, states, last } = await atPin({ preview: () => Promise.resolve(answers.shift()!) });
    const before = states.length;
    await phone.take(OTHER_LINK);
    await phone.take(OTHER_LINK);
    expect(states).toHaveLength(before);
    expect(left).toEqual([]);
    expect(last()).toMatchObject({ kind: 'PIN' });
  });

  it('does not keep it from being declined when the page is left', async () => {
    const { phone, left, last } = await atPin({});
    await phone.take(OTHER_LINK);
    phone.leave();
    expect(left).toEqual([`leave ${SESSION}`]);
    expect(last()).toMatchObject({ outcome: 'LEFT', request: { sessionId: SESSION } });
  });

  it('is dropped once the person has decided, before and after its preview is answered', async () => {
    const { answers, preview } = heldPreviews();
    const { phone, last, calls } = phoneWith({ preview, scan: ok(REQUEST), confirm: [ok({})] });
    await phone.start(undefined);
    await phone.takeText(LINK, { byCamera: true });
    phone.proceed();
    const early = phone.take(OTHER_LINK);
    const confirming = phone.confirm('2580');
    await phone.take(OTHER_LINK);
    await confirming;
    answers[0]!(ok(PREVIEW));
    await early;
    expect(last()).toMatchObject({ outcome: 'CONFIRMED' });
    expect(calls.filter((call) => call.startsWith('preview'))).toEqual([`preview ${OTHER}`]);
  });

  it('with an activation code does not end it', async () => {
    const { phone, left, last } = await atPin({});
    await phone.take({ kind: 'ACTIVATE', code: 'C' });
    expect(last()).toMatchObject({ kind: 'PIN' });
    expect(left).toEqual([]);
  });
});

import { expect, it } from '@jest/globals';

import { loginPageUrl, qrPayload, webPhoneLink } from './links.js';

it('sends the browser to {login_url}/?t=<handoffToken>', () => {
  expect(loginPageUrl('https://login.example', 'a_b-c')).toBe('https://login.example/?t=a_b-c');
  expect(loginPageUrl('http://localhost:3000/login', 'a_b-c')).toBe('http://localhost:3000/login/?t=a_b-c');
  expect(loginPageUrl('http://localhost:3000/login/', 'a&b')).toBe('http://localhost:3000/login/?t=a%26b');
});

it('percent-encodes both values of the QR payload', () => {
  const payload = qrPayload({ appScheme: 'app', sessionId: 'a b', returnUrl: 'https://shop.example/wait?x=1&y=ü' });
  expect(payload).toBe('app://app/scan?sessionId=a%20b&returnUrl=https%3A%2F%2Fshop.example%2Fwait%3Fx%3D1%26y%3D%C3%BC');
});

it('hands the payload to a web phone as the fragment of its address', () => {
  expect(webPhoneLink('https://phone.example/', 'app://app/scan?sessionId=1')).toBe('https://phone.example/#app%3A%2F%2Fapp%2Fscan%3FsessionId%3D1');
});

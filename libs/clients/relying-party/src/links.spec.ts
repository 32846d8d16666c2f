import { createHmac } from 'node:crypto';

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

it('adds the frame of now for a session whose code changes each second', () => {
  const sessionId = '7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10';
  const secret = Buffer.alloc(32, 'k').toString('base64url');
  const at = (now: number) => qrPayload({ appScheme: 'app', sessionId, returnUrl: 'https://shop.example/', frames: { secret, begunAt: 1_000 }, now });
  const a = createHmac('sha256', Buffer.alloc(32, 'k')).update(`${sessionId}.7`).digest('base64url');
  expect(at(8_999)).toBe(`app://app/scan?sessionId=${sessionId}&returnUrl=https%3A%2F%2Fshop.example%2F&t=7&a=${a}`);
  expect(at(9_000)).not.toBe(at(8_999));
  expect(at(0)).toContain('&t=0&');
});

it('hands the payload to a web phone as the fragment of its address', () => {
  expect(webPhoneLink('https://phone.example/', 'app://app/scan?sessionId=1')).toBe('https://phone.example/#app%3A%2F%2Fapp%2Fscan%3FsessionId%3D1');
});

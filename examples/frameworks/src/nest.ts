import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { type CallbackQuery, loginPageUrl, type PendingLogin, RelyingPartyClient } from '@countersign/relying-party-client';
import { BadRequestException, Controller, Get, Headers, Module, Query, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';

const {
  BASE_URL = 'http://localhost:3000',
  LOGIN_URL = `${BASE_URL}/login`,
  ORIGIN = 'http://localhost:3002',
  CLIENT_ID = '',
  CLIENT_SECRET = '',
} = process.env;
const client = new RelyingPartyClient({ baseUrl: BASE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
const logins = new Map<string, PendingLogin>(); // In memory, for this example. Several servers need a shared store whose entries expire.

@Controller()
class LoginController {
  @Get('login')
  async begin(@Res() reply: FastifyReply): Promise<void> {
    const [id, login] = [randomUUID(), await client.beginLogin({ redirectUri: `${ORIGIN}/callback`, hostedPage: true })];
    logins.set(id, login);
    const cookie = `login=${id}; HttpOnly; SameSite=Lax; Path=/${ORIGIN.startsWith('https:') ? '; Secure' : ''}`;
    await reply.header('set-cookie', cookie).redirect(loginPageUrl(LOGIN_URL, login.handoffToken ?? ''), 302);
  }

  @Get('callback')
  async finish(@Headers('cookie') cookie: string | undefined, @Query() query: CallbackQuery): Promise<string> {
    const id = /(?:^|; )login=([\w-]+)/.exec(cookie ?? '')?.[1] ?? '';
    const login = logins.get(id);
    if (!login || !logins.delete(id)) throw new BadRequestException('No login was begun in this browser.');
    const { subjectId } = await client.finishLogin(login, query);
    return `You are logged in as ${subjectId}.`;
  }
}

@Module({ controllers: [LoginController] })
class AppModule {}

await (await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false })).listen(Number(new URL(ORIGIN).port));

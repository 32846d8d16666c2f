import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { clientNetwork, LongPolls, PollLimit, prefersRepresentation } from '#service/http';
import type { Device } from '#domain/identity';
import {
  type AcceptedPin,
  ConfirmSession,
  DeclineSession,
  ListPendingSessions,
  type NamedPendingSession,
  type PendingSession,
  type PinRequest,
  PreviewSession,
  type ScannedSession,
  ScanSession,
  type SessionPreview,
} from '#domain/session';

import { ProvenDevice, refuseRevoked } from './device-proof.hooks.js';
import { ConfirmSessionDto, DeclineSessionDto, PinDto, PreviewSessionDto, ScanSessionDto } from './session.dto.js';

@Controller('app/v1/session')
export class SessionController {
  constructor(
    private readonly previewSession: PreviewSession,
    private readonly scanSession: ScanSession,
    private readonly confirmSession: ConfirmSession,
    private readonly declineSession: DeclineSession,
    private readonly listPending: ListPendingSessions,
    private readonly longPolls: LongPolls,
    private readonly pollLimit: PollLimit,
  ) {}

  @Get('pending')
  async pending(
    @ProvenDevice() { deviceId, identityId, status }: Device,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ sessions: readonly (PendingSession | NamedPendingSession)[] }> {
    await this.pollLimit.take(deviceId);
    const wait = this.longPolls.begin(request, reply, deviceId);
    const sessions = wait ? await this.listPending.wait(identityId, wait.milliseconds, wait.signal) : await this.listPending.execute(identityId);
    // A locked phone is told no name: another person may hold it.
    if (!prefersRepresentation(request.headers.prefer) || status !== 'ACTIVE') return { sessions };
    reply.header('Preference-Applied', wait ? [reply.getHeader('Preference-Applied'), 'return=representation'].join(', ') : 'return=representation');
    return { sessions: sessions.length === 0 ? [] : await this.listPending.named(identityId) };
  }

  /** Who asks, before the person lets the phone scan. */
  @Get(':sessionId')
  preview(@Param('sessionId') sessionId: string, @Query() { t, a }: PreviewSessionDto, @ProvenDevice() device: Device): Promise<SessionPreview> {
    return this.previewSession.execute({ sessionId, t, a }, device);
  }

  @Post(':sessionId/scan')
  @HttpCode(200)
  scan(
    @Param('sessionId') sessionId: string,
    @Body() body: ScanSessionDto,
    @ProvenDevice() device: Device,
    @Req() request: FastifyRequest,
  ): Promise<ScannedSession> {
    const { return_url: returnUrl, via = 'qr', t, a, admission, shows_details: showsDetails = false } = body;
    const given = { ...(returnUrl !== undefined && { returnUrl }), ...(t !== undefined && { t }), ...(a !== undefined && { a }) };
    const network = clientNetwork(request);
    return this.scanSession
      .execute({ sessionId, ...given, ...(admission !== undefined && { admission }), ...(via !== 'qr' && { via }), showsDetails, network }, device)
      .catch(refuseRevoked(request));
  }

  /** The PIN alone, before the phone signs anything. */
  @Post(':sessionId/pin')
  @HttpCode(200)
  pin(
    @Param('sessionId') sessionId: string,
    @Body() body: PinDto,
    @ProvenDevice() device: Device,
    @Req() request: FastifyRequest,
  ): Promise<AcceptedPin> {
    return this.confirmSession.judgePin(pinRequest(sessionId, body), device).catch(refuseRevoked(request));
  }

  @Post(':sessionId/confirm')
  @HttpCode(200)
  confirm(@Param('sessionId') sessionId: string, @Body() body: ConfirmSessionDto, @ProvenDevice() device: Device, @Req() request: FastifyRequest) {
    const { signature, signing_time: signingTime } = body;
    return this.confirmSession.execute({ ...pinRequest(sessionId, body), signature, signingTime }, device).catch(refuseRevoked(request));
  }

  @Post(':sessionId/decline')
  @HttpCode(200)
  decline(@Param('sessionId') sessionId: string, @Body() { reason }: DeclineSessionDto, @ProvenDevice() device: Device) {
    return this.declineSession.execute(sessionId, reason, device);
  }
}

const pinRequest = (sessionId: string, { pin_proof: pinProof, verification_code: verificationCode }: PinDto): PinRequest => ({
  sessionId,
  pinProof,
  verificationCode,
});

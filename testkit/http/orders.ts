import { Body, Controller, Delete, Get, HttpCode, Module, Param, Post, Query, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsString, IsUUID, Max, Min } from 'class-validator';

import { currentTraceparent, DomainError, ServiceUnavailable } from '#kernel';
import { RateLimited } from '#engines/rate-limit';
import { Log, type LogFields } from '#telemetry';

import {
  digitsToNumber,
  Lean,
  MaxCodePoints,
  NoControlCharacters,
  NotBlank,
  Optional,
  PathId,
  Principal,
  Route,
  WellFormedText,
} from '#service/http';

class OrderDto {
  @IsString()
  @NotBlank()
  @MaxCodePoints(5)
  name!: string;

  @Optional()
  @IsBoolean()
  gift?: boolean;

  @Optional()
  @IsString()
  @WellFormedText()
  @NoControlCharacters()
  title?: string;

  @Optional()
  @IsIn(['RED', 'BLUE'])
  colour?: string;

  @Optional()
  @IsUUID()
  redirect_uri?: string;
}

class PageDto {
  @Optional()
  @Transform(digitsToNumber)
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;

  @Optional()
  @IsString()
  after?: string;
}

export class OrderNotFound extends DomainError {
  readonly code = 'session_not_found';
}

class Unlisted extends DomainError {
  readonly code = 'no_such_code';
}

const failures: Record<string, () => Error> = {
  domain: () => new OrderNotFound('it belongs to client 7'),
  payload: () => new WrongPin('second wrong try', undefined, { attemptsLeft: 1 }),
  unlisted: () => new Unlisted('a mistake'),
  unavailable: () => new ServiceUnavailable('no answer from the store'),
  limited: () => new RateLimited('push', 5, 12.3),
  unexpected: () => new TypeError('hunter2 is not a function'),
};

export class WrongPin extends DomainError {
  readonly code = 'wrong_pin';
}

@Controller('v1')
class OrderController {
  @Post('order')
  @HttpCode(200)
  create(@Body() body: OrderDto): object {
    return { ...body };
  }

  /** The trace context of the request, as work sees it that the request has started. */
  @Post('trace')
  @HttpCode(200)
  async trace(@Body() _body: OrderDto): Promise<object> {
    await new Promise((resolve) => setImmediate(resolve));
    return { trace: currentTraceparent() };
  }

  @Get('orders')
  list(@Query() page: PageDto): object {
    return { ...page };
  }

  @Get('order/:id')
  read(@Param('id', new PathId(() => new OrderNotFound('no UUID'))) id: string): object {
    return { id, nothing: null, nested: { nothing: null, all: [{ nothing: null, zero: 0 }] } };
  }

  /** Its guard lets no request through. */
  @Get('order/:id/state')
  @Lean()
  @UseGuards({ canActivate: () => false })
  async state(@Req() { params, query }: FastifyRequest): Promise<object> {
    const { fail } = query as { readonly fail?: string };
    if (fail !== undefined) throw failures[fail]?.() ?? new Error(fail);
    return { ...(params as object), nothing: null, trace: currentTraceparent() };
  }

  @Post('order/:id/completion')
  @HttpCode(200)
  @Route({ ignoreBody: true })
  complete(): object {
    return { done: true };
  }

  @Post('order/:id/note')
  @HttpCode(200)
  @Route({ optionalBody: true })
  note(@Req() { body }: FastifyRequest): object {
    return { read: body ?? 'nothing' };
  }

  @Delete('order/:id')
  @HttpCode(204)
  remove(): void {}

  @Get('fail/:how')
  fail(@Param('how') how: string): never {
    throw failures[how]?.() ?? new Error(how);
  }

  @Get('who')
  who(@Principal() who: object): object {
    return who;
  }

  @Get('open')
  @Route({ open: true })
  open(): object {
    return { open: true };
  }
}

@Module({ controllers: [OrderController] })
export class OrderModule {}

export class MemoryLog extends Log {
  readonly lines: { message: string; fields: LogFields | undefined }[] = [];
  override debug(message: string, fields?: LogFields): void {
    this.lines.push({ message, fields });
  }
  override info(message: string, fields?: LogFields): void {
    this.lines.push({ message, fields });
  }
  override warn(message: string, fields?: LogFields): void {
    this.lines.push({ message, fields });
  }
  override error(message: string, fields?: LogFields): void {
    this.lines.push({ message, fields });
  }
}

/** An id in any path of the orders. */
export const ID = '3f0b5c6e-8a52-4d5c-9f0e-0a4a3f8b7c11';

export const envelope = (errorCode: string, defaultTranslation: unknown = expect.any(String), payload: unknown = null) => ({
  errorCode,
  defaultTranslation,
  resultMessageLangCode: 'en',
  payload,
});

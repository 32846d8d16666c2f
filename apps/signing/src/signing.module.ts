import { type DynamicModule, Module } from '@nestjs/common';

/** The ASiC-E builder. Its work arrives by the bus; what it serves is the development trust service. */
@Module({})
export class SigningModule {
  static register(): DynamicModule {
    return { module: SigningModule };
  }
}

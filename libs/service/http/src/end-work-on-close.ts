import type { OnModuleDestroy, ValueProvider } from '@nestjs/common';

class WorkShutdown implements OnModuleDestroy {
  constructor(private readonly end: () => Promise<unknown>) {}

  async onModuleDestroy(): Promise<void> {
    await this.end();
  }
}

/** A provider for the module of an app: `end` ends the work that arrives by no request, and closing the app waits for it. */
export const endWorkOnClose = (end: () => Promise<unknown>): ValueProvider<WorkShutdown> => ({
  provide: WorkShutdown,
  useValue: new WorkShutdown(end),
});

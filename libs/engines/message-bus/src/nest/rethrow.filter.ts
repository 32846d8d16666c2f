import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/** Rethrows the error unchanged. Nest's own filter replaces it, and a value that a filter answers counts as success. */
export class RethrowFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

// A call in place of the decorator: Node runs these sources in tests of crashes, and does not know decorators.
Catch()(RethrowFilter);

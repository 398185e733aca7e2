import type { Request, Response } from './http';
import { inject, Controller, Get } from './framework';

export type Handler<T = unknown> = (request: Request) => Promise<T>;

/** What the router needs to know about a route. */
export interface Route<T extends object> {
  readonly path: string;
  handler: Handler<T>;
  matches?(path: string): boolean;
}

export enum Level {
  Low = 1,
  High = Low << 2,
}

declare global {
  interface Window {
    router: Router;
  }
}

export abstract class Base<TModel> {
  protected abstract load(id: string): Promise<TModel>;

  /** Loads many, keeping their order. */
  async all(ids: readonly string[]): Promise<TModel[]> {
    // ... (5 lines)
  }
}

/**
 * Finds the handler of a request.
 */
@Controller('/routes')
export class Router extends Base<Route<object>> implements Iterable<string> {
  private readonly routes = new Map<string, Route<object>>();

  constructor(
    @inject('config') private readonly config: Config,
    public level: Level = Level.Low,
  ) {
    // ... (4 lines)
  }

  add(path: string): this;
  add(path: RegExp, handler: Handler): this;
  add(path: string | RegExp, handler?: Handler): this {
    // ... (5 lines)
  }

  @Get('/:id')
  protected override async load(id: string): Promise<Route<object>> {
    // ... (5 lines)
  }

  *[Symbol.iterator](): Iterator<string> {
    yield* this.routes.keys();
  }
}

export namespace Paths {
  export const root = '/';

  export function join(...parts: string[]): string {
    // ... (3 lines)
  }
}

export const respond =
  <T,>(value: T) =>
  async (response: Response): Promise<void> => {
    // ... (3 lines)
  };

export function isRoute(value: unknown): value is Route<object> {
  // ... (5 lines)
}

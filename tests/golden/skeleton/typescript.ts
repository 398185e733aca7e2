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
    const results: TModel[] = [];
    for (const id of ids) {
      results.push(await this.load(id));
    }
    return results;
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
    super();
    this.config.freeze();
    this.level ||= Level.High;
    this.routes.clear();
  }

  add(path: string): this;
  add(path: RegExp, handler: Handler): this;
  add(path: string | RegExp, handler?: Handler): this {
    const key = typeof path === 'string' ? path : path.source;
    if (handler !== undefined) {
      this.routes.set(key, { path: key, handler } as Route<object>);
    }
    return this;
  }

  @Get('/:id')
  protected override async load(id: string): Promise<Route<object>> {
    const route = this.routes.get(id);
    if (!route) {
      throw new Error(`no route ${id}`);
    }
    return route;
  }

  *[Symbol.iterator](): Iterator<string> {
    yield* this.routes.keys();
  }
}

export namespace Paths {
  export const root = '/';

  export function join(...parts: string[]): string {
    const clean = parts.map((part) => part.replace(/^\/+|\/+$/g, ''));
    const joined = clean.filter(Boolean).join('/');
    return root + joined;
  }
}

export const respond =
  <T,>(value: T) =>
  async (response: Response): Promise<void> => {
    response.setHeader('content-type', 'application/json');
    response.write(JSON.stringify(value satisfies T));
    response.end();
  };

export function isRoute(value: unknown): value is Route<object> {
  const candidate = value as Partial<Route<object>>;
  return (
    typeof candidate?.path === 'string' &&
    typeof candidate.handler === 'function'
  );
}

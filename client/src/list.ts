/** Reads one page with these query parameters. */
export type ReadPage<Answer> = (query: Record<string, unknown>) => Promise<{ data: Answer; response: Response }>

/** A list of the API. `await` reads its first page as the route answers it; `for await` goes through the items of all pages. */
export class List<Answer, Item> implements PromiseLike<Answer>, AsyncIterable<Item> {
  readonly #read: ReadPage<Answer>
  readonly #query: Record<string, unknown>
  readonly #isFeed: boolean
  #first: Promise<Answer> | undefined

  constructor(read: ReadPage<Answer>, query: Record<string, unknown>, isFeed: boolean) {
    this.#read = read
    this.#query = query
    this.#isFeed = isFeed
  }

  // biome-ignore lint/suspicious/noThenProperty: it is awaited on purpose
  then<Then = Answer, Else = never>(
    done?: ((answer: Answer) => Then | PromiseLike<Then>) | null,
    failed?: ((reason: unknown) => Else | PromiseLike<Else>) | null,
  ): Promise<Then | Else> {
    this.#first ??= this.#read(this.#query).then(({ data }) => data)
    return this.#first.then(done, failed)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* itemsOf(page) as Item[]
  }

  /** The answers one after the other, each a page. */
  async *pages(): AsyncGenerator<Answer, void, undefined> {
    // Some lists give all items unless a page is asked for.
    let query = this.#isFeed ? this.#query : { page: 0, ...this.#query }
    for (;;) {
      const { data, response } = await this.#read(query)
      yield data
      const next = this.#isFeed ? afterOf(data) : pageAfter(data, Number(query.page), response.headers)
      if (next === undefined) return
      query = { ...query, ...next }
    }
  }
}

interface Page {
  data?: unknown[]
  rows?: unknown[]
  hasMore?: boolean
  pagination?: { hasNext: boolean }
}

const itemsOf = (page: unknown): unknown[] => {
  if (Array.isArray(page)) return page
  const { data, rows } = page as Page
  return data ?? rows ?? []
}

function afterOf(page: unknown): { after: string } | undefined {
  const last = itemsOf(page).at(-1) as { id: string } | undefined
  return (page as Page).hasMore && last ? { after: last.id } : undefined
}

function pageAfter(page: unknown, number: number, headers: Headers): { page: number } | undefined {
  const link = headers.get('link')
  const hasNext = Array.isArray(page)
    ? // A list that does not say how long it is ends with an empty page.
      link === null
      ? !headers.has('x-total-count') && page.length > 0
      : /rel="?next\b/.test(link)
    : (page as Page).pagination?.hasNext
  return hasNext ? { page: number + 1 } : undefined
}

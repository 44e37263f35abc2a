import { refusalOf, t } from '../language/t.ts'

interface ErrorBody {
  error?: string
  message?: string
  code?: string
  details?: { message: string; path?: string }[]
  requestId?: string
}

/** An answer that is a refusal, or no answer at all. `requestId` is what support asks for. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly details: { message: string; path?: string }[]
  readonly requestId: string | undefined
  /** What happened and what to do, in the language that is shown; `message` is the service's own sentence, in English. */
  readonly sentence: string
  /** Other fields of the refusal, for example `available` of NOT_ENOUGH_CREDITS. */
  readonly extra: Record<string, unknown>

  constructor(status: number, body: ErrorBody, fallback: string) {
    super(body.message ?? body.error ?? fallback)
    this.status = status
    this.code = body.code ?? 'UNKNOWN'
    this.details = body.details ?? []
    this.requestId = body.requestId
    this.sentence = refusalOf(this.code) ?? this.message
    this.extra = { ...body }
  }
}

/** The code of a page could not be loaded. For the import's own error the router would reload the page, without success. */
export class PageNotLoaded extends Problem {
  constructor(cause: unknown) {
    super(0, { code: 'PAGE_NOT_LOADED' }, t('This page could not be loaded. It opens as soon as the service answers.'))
    this.cause = cause
  }
}

export async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text()
  const fallback = t('The service answered {status}. Try again in a moment.', { status: response.status })
  const requestId = response.headers.get('x-request-id') ?? undefined
  return new Problem(response.status, { requestId, ...bodyOf(text) }, fallback)
}

// A proxy may answer in HTML, which is of no use to people.
function bodyOf(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem(
    0,
    { code: 'UNREACHABLE' },
    t('The service cannot be reached. Check the connection and try again.'),
  )
}

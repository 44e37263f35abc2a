import { StartError } from '../../domain/errors.ts'

/** A request that a program once sent. */
export interface Recorded {
  method: string
  /** Without origin and query. */
  path: string
  query: Record<string, string | string[]>
  /** Undefined: it had none. A body that is not JSON is kept as text. */
  body: unknown
}

interface Line {
  method?: unknown
  path?: unknown
  url?: unknown
  body?: unknown
  postData?: { text?: unknown }
}

/** The requests of a HAR file, a JSON array, or JSON lines. What else is recorded of them, such as headers, is not read. */
export function readRecorded(text: string): Recorded[] {
  const whole = parse(text)
  const lines = whole === undefined ? jsonLines(text) : listIn(whole)
  return lines.map((line, i) => requestOf(line, i + 1))
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function jsonLines(text: string): unknown[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return []
    const value = parse(line)
    if (value === undefined) throw new StartError(`Line ${i + 1} is not JSON. ${FORMS}`)
    return [value]
  })
}

function listIn(whole: unknown): unknown[] {
  const entries = (whole as { log?: { entries?: { request?: unknown }[] } }).log?.entries
  if (entries) return entries.map(({ request }) => request)
  return Array.isArray(whole) ? whole : [whole]
}

const FORMS =
  'Give a HAR file, or a line of JSON for each request: {"method":"POST","path":"/create-order","body":{…}}.'

function requestOf(given: unknown, number: number): Recorded {
  const { method, path, url, body, postData } = (given ?? {}) as Line
  const address = path ?? url
  if (typeof method !== 'string' || typeof address !== 'string') {
    throw new StartError(`Request ${number} has no method, or no path. ${FORMS}`)
  }
  const { pathname, searchParams } = new URL(address, 'http://recorded.invalid')
  const names = [...new Set(searchParams.keys())]
  const query = names.map((name) => {
    const values = searchParams.getAll(name)
    return [name, values.length === 1 ? (values[0] ?? '') : values] as const
  })
  const sent = body ?? postData?.text
  return {
    method: method.toUpperCase(),
    path: pathname,
    query: Object.fromEntries(query),
    body: typeof sent === 'string' ? (parse(sent) ?? (sent === '' ? undefined : sent)) : sent,
  }
}

import { StartError } from '../../domain/errors.ts'

/** A request that cannot be read from its recording. */
export interface Unread {
  problem: string
}

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

/**
 * The requests of a HAR file, a JSON array, or JSON lines. What else is recorded of them, such as headers, is not read. One that cannot
 * be read is listed with the others. @throws StartError if none can
 */
export function readRecorded(text: string): (Recorded | Unread)[] {
  const whole = parse(text)
  const all = whole === undefined ? jsonLines(text) : listIn(whole).map((line, i) => requestOf(line, i + 1))
  if (all.length === 0) throw new StartError(`The file has no requests. ${FORMS}`)
  const problem = all.every((one) => 'problem' in one) ? all[0]?.problem : undefined
  if (problem !== undefined) throw new StartError(`${problem} ${FORMS}`)
  return all
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function jsonLines(text: string): (Recorded | Unread)[] {
  let requests = 0
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return []
    requests++
    const value = parse(line)
    return [value === undefined ? { problem: `Line ${i + 1} is not JSON.` } : requestOf(value, requests)]
  })
}

function listIn(whole: unknown): unknown[] {
  const entries = (whole as { log?: { entries?: { request?: unknown }[] } }).log?.entries
  if (entries) return entries.map(({ request }) => request).filter(isOfProgram)
  return Array.isArray(whole) ? whole : [whole]
}

// A browser records its preflights and the files of its pages, too.
function isOfProgram(request: unknown): boolean {
  const { method, url } = (request ?? {}) as Line
  return method !== 'OPTIONS' && !/\.(css|js|mjs|map|html?|png|jpe?g|gif|svg|ico|woff2?)(\?|$)/i.test(String(url))
}

const FORMS =
  'Give a HAR file, or a line of JSON for each request: {"method":"POST","path":"/create-order","body":{…}}.'

function requestOf(given: unknown, number: number): Recorded | Unread {
  const { method, path, url, body, postData } = (given ?? {}) as Line
  const address = path ?? url
  if (typeof method !== 'string' || typeof address !== 'string') {
    return { problem: `Request ${number} has no method, or no path.` }
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

// Loaded before each file of tests by `npm run generate:examples`: keeps the best example of each route.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { z } from 'zod'
import { routes } from '../../../src/modules/index.ts'
import { addressOf, type Route } from '../../../src/platform/http/route.ts'
import { type Heard, isBetter } from './choose.ts'

const folder = process.env.EXAMPLES_FOLDER ?? ''

interface Recorder {
  heard: Map<string, Heard>
}
declare global {
  var exampleRecorder: Recorder | undefined
}

const patterns = routes.map((route) => {
  const path = addressOf(route)
  const source = path.replaceAll(/[.$]/g, '\\$&').replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')
  return { route, method: route.method, pattern: new RegExp(`^${source}$`), fixed: !path.includes(':') }
})
// `/reports/search` before `/reports/:reportID`.
patterns.sort((a, b) => Number(b.fixed) - Number(a.fixed))

function keep(recorder: Recorder, key: string, heard: Heard): void {
  const known = recorder.heard.get(key)
  if (!known || isBetter(heard, known)) recorder.heard.set(key, heard)
}

const json = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isText = ({ body }: Route): boolean => body instanceof z.ZodString

const decoded = (groups: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))

async function note(recorder: Recorder, request: Request, answer: Response): Promise<void> {
  const url = new URL(request.url)
  if (answer.status >= 400) {
    const body = json(await answer.text()) as { code?: string } | undefined
    if (body?.code) keep(recorder, `error ${body.code}`, { params: {}, query: {}, answer: body })
    return
  }
  const found = patterns.find(({ method, pattern }) => method === request.method && pattern.test(url.pathname))
  if (!found) return
  const { route, pattern } = found
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false
  const text = isJson ? await answer.text() : ''
  const sent = await request.text()
  const heard: Heard = {
    params: decoded(pattern.exec(url.pathname)?.groups),
    query: Object.fromEntries(url.searchParams),
    ...(sent && { request: isText(route) ? sent : json(sent) }),
    ...(text && { answer: json(text) }),
  }
  // Another format, such as HL7 or FHIR, is no example of the JSON that the document describes.
  const sentType = request.headers.get('content-type') ?? ''
  if (sent && (heard.request === undefined || !(isText(route) || /^application\/json\b/.test(sentType)))) return
  keep(recorder, `${route.id} ${answer.status}`, heard)
  if (route.id !== 'listEvents') return
  const { data = [] } = (heard.answer ?? {}) as { data?: { type: string }[] }
  for (const event of data) keep(recorder, `event ${event.type}`, { params: {}, query: {}, answer: event })
}

function wrap(recorder: Recorder): void {
  const send = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!/^http:\/\/(?:127\.0\.0\.1|localhost):/.test(url)) return send(input, init)
    const isPlain = input instanceof Request || init?.body === undefined || typeof init.body === 'string'
    const copy = isPlain ? (input instanceof Request ? input.clone() : new Request(input, init)) : undefined
    const answer = await send(input, init)
    const type = answer.headers.get('content-type') ?? ''
    if (copy && (answer.status === 204 || /json/.test(type))) {
      await note(recorder, copy, answer.clone()).catch(() => {})
    }
    return answer
  }
}

// Files of tests share a process, and this file is loaded for each of them.
if (!globalThis.exampleRecorder) {
  globalThis.exampleRecorder = { heard: new Map() }
  wrap(globalThis.exampleRecorder)
}

afterAll(() => {
  mkdirSync(folder, { recursive: true })
  const heard = Object.fromEntries(globalThis.exampleRecorder?.heard ?? [])
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(heard))
})

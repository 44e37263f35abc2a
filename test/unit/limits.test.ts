import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { follow, type Parameter, type Schema } from '../../src/docs/reference/document.ts'
import { routes } from '../../src/modules/index.ts'
import { addressOf } from '../../src/platform/http/route.ts'
import { root } from '../harness/sources.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/limits.md')
const api = JSON.parse(read('openapi.json'))

/** A figure as its file declares it: `const NAME = 256 * 1024`. */
function figure(path: string, name: string): number {
  const [, factors = ''] = new RegExp(`\\bconst ${name} = ([\\d_ *]+)\\n`).exec(read(path)) ?? []
  if (!factors) throw new Error(`${path} has no figure ${name}`)
  return factors.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1)
}

const count = (value = Number.NaN) => value.toLocaleString('en')
const KB = 1024
const hours = (ms: number) => `${ms / 3_600_000} hours`

function bodyLimit(address: string): number {
  const route = routes.find((one) => one.method === 'POST' && addressOf(one) === address)
  if (!route?.bodyLimitBytes) throw new Error(`${address} has no limit of its own`)
  return route.bodyLimitBytes / KB / KB
}

const inFull = <Part extends { $ref?: string }>(part: Part) => follow<Part>(api, part)
const at = (schema: Schema | undefined, ...names: string[]): Schema =>
  names.reduce((one, name) => inFull(one.properties?.[name] ?? {}), inFull(schema ?? {}))
/** Of the forms that a list or a number may have, the one that it is meant to have. */
const proper = ({ anyOf: [first] = [] }: Schema) => inFull(first ?? {})
const sizeOf = (path: string) =>
  api.paths[path].get.parameters.map(inFull<Parameter>).find(({ name }: Parameter) => name === 'size').schema
const sizes = (path: string) => `${count(sizeOf(path).default)} | ${count(sizeOf(path).maximum)}`
const http = 'src/platform/http'
const webhooks = 'src/modules/webhooks'
const rules = read(`${webhooks}/rules.ts`)
const waits =
  /retryScheduleSeconds = \[([^\]]+)\]/
    .exec(rules)?.[1]
    ?.split(',')
    .map((one) => Number(one.replaceAll('_', ''))) ?? []
const overlap =
  /OVERLAP_HOURS = \{ default: (\d+), max: (\d+) \* (\d+) \}/.exec(read('src/modules/identity/token-rules.ts')) ?? []
const perToken = /rate_limit_per_minute +integer not null default (\d+)/.exec(
  read('migrations/0188_first_release/02_businesses.sql'),
)?.[1]
const order = api.paths['/api/v1/create-order'].post.requestBody.content['application/json'].schema
const lines = proper(at(order, 'kit_types'))

const figures: [words: string, value: string][] = [
  ['a token, by default; the operator may set it for each business', count(Number(perToken))],
  ['the operator, and people who have signed in', count(figure(`${http}/access.ts`, 'OPERATOR_PER_MINUTE'))],
  ['without a token, by address', count(figure(`${http}/access.ts`, 'ANONYMOUS_PER_MINUTE'))],
  ['the pages of the person tested, by address', count(figure(`${http}/pages.ts`, 'PER_MINUTE'))],
  ['an identity provider (SCIM), by address', count(figure(`${http}/scim.ts`, 'PER_MINUTE'))],
  ['a body', `${figure(`${http}/server.ts`, 'BODY_LIMIT_BYTES') / KB} kB`],
  ['the body of `POST /create-order` and `POST /quotes`', `${bodyLimit('/api/v1/create-order')} MB`],
  ['the body of `POST /create-order` and `POST /quotes`', `${bodyLimit('/api/v1/quotes')} MB`],
  ['the body of `POST /customer/add-data`', `${bodyLimit('/api/v1/customer/add-data')} MB`],
  ['a file in it', `${figure('src/modules/lab/schema.ts', 'MAX_FILE_BYTES') / KB / KB} MB`],
  ['the body of `POST /operator/v1/lab/results`', `${bodyLimit('/operator/v1/lab/results')} MB`],
  ['a message over MLLP', `${figure('src/extensions/mllp/serve.ts', 'MAX_MESSAGE_BYTES') / KB / KB} MB`],
  ['connections of MLLP', count(figure('src/extensions/mllp/serve.ts', 'MAX_CONNECTIONS'))],
  [
    'a file in the folder of a laboratory',
    `${figure('src/extensions/lab-folder/watch.ts', 'MAX_FILE_BYTES') / KB / KB} MB`,
  ],
  ['all headers together', `${figure(`${http}/server.ts`, 'MAX_HEADER_BYTES') / KB} kB`],
  ['an `Idempotency-Key`', `${api.components.parameters.IdempotencyKey.schema.maxLength} characters`],
  ['rows of a request', count(proper(at(order, 'bulkUploadData')).maxItems)],
  ['rows from which on it is a job', count(figure('src/modules/orders/schema.ts', 'ASYNC_ROWS'))],
  ['kit types of one order', count(lines.maxItems)],
  ['kits of one line', count(proper(at(lines.items, 'quantity')).maximum)],
  ['entries of a page', sizes('/api/v1/orders')],
  ['rows of `GET /bulk-order-jobs/{jobId}`', sizes('/api/v1/bulk-order-jobs/{jobId}')],
  ['events of `GET /events`', sizes('/api/v1/events')],
  ['endpoints of a business in a mode', count(figure(`${webhooks}/service.ts`, 'MAX_ENDPOINTS'))],
  ['time for the answer', `${figure(`${webhooks}/delivery/deliver.ts`, 'TIMEOUT_MS') / 1000} s`],
  ['attempts', String(waits.length + 1)],
  ['last attempt after the first', inDays(waits.reduce((sum, one) => sum + one, 0))],
  [
    'an endpoint is switched off after failing for',
    `${figure(`${webhooks}/rules.ts`, 'DISABLE_AFTER_MS') / 86_400_000} days`,
  ],
  ['both secrets are used after a rotation for', hours(figure(`${webhooks}/service.ts`, 'OLD_SECRET_MS'))],
  ['an `Idempotency-Key` is kept for', hours(figure(`${http}/idempotency.ts`, 'RETENTION_MS'))],
  ['a rotated token works on for, by default', `${overlap[1]} hours`],
  ['a rotated token works on for, at most', `${Number(overlap[2]) * Number(overlap[3])} hours`],
]

function inDays(seconds: number): string {
  const rounded = Math.round(seconds / 3600)
  return `${Math.floor(rounded / 24)} days and ${rounded % 24} hours`
}

it('docs/limits.md has each limit of the code, and no other figure', () => {
  expect(figures.filter(([words, value]) => !page.includes(`| ${words} | ${value} |`))).toEqual([])
  const rows = page.split('\n').filter((line) => /^\| .*\d/.test(line))
  expect(rows).toHaveLength(new Set(figures.map(([words]) => words)).size)
})

it('docs/versions.md names what is deprecated, and until when it works', () => {
  const versions = read('docs/versions.md')
  const deprecated = routes.filter((route) => route.deprecated)
  expect(deprecated.length).toBeGreaterThan(0)
  for (const { method, path, deprecated: { sunset = '' } = {} } of deprecated) {
    const until = new Date(sunset).toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    })
    expect(versions).toMatch(new RegExp(`\\| \`${method} ${path}\` \\| .* \\| ${until} \\|`))
  }
})

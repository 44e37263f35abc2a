// npm run generate:examples [-- <test files> | --all]: runs tests, and writes test/examples.json from what they asked of the
// routes and heard. An example stays while it fits its route's schemas; `--all` takes each again.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteExample } from '../../../src/cli/openapi/examples.ts'
import { eventDocuments } from '../../../src/cli/openapi-document.ts'
import { errorCodes } from '../../../src/domain/error-codes.ts'
import { routes } from '../../../src/modules/index.ts'
import type { Route } from '../../../src/platform/http/route.ts'
import { root } from '../sources.ts'
import { type Heard, isBetter } from './choose.ts'
import { EXAMPLES, problemsOf, readExamples, withoutUnknown } from './known.ts'
import { tidy } from './tidy.ts'

// They send what no caller would.
const HOSTILE = ['contract', 'lenient', 'matrix', 'isolation', 'idempotency']

function record(files: string[]): Map<string, Heard> {
  const folder = process.env.EXAMPLES_FOLDER ?? mkdtempSync(join(tmpdir(), 'kitlane-examples-'))
  if (!process.env.EXAMPLES_FOLDER) {
    const config = ['--config', 'test/harness/examples/config.ts', '--project', 'service']
    const excluded = HOSTILE.flatMap((name) => ['--exclude', `test/database/${name}.test.ts`])
    spawnSync(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...config, ...excluded, ...files],
      {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, EXAMPLES_FOLDER: folder },
      },
    )
  }
  const best = new Map<string, Heard>()
  for (const name of readdirSync(folder).sort()) {
    const heard: Record<string, Heard> = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    for (const [key, one] of Object.entries(heard)) {
      const known = best.get(key)
      if (!known || isBetter(one, known)) best.set(key, one)
    }
  }
  if (!process.env.EXAMPLES_FOLDER) rmSync(folder, { recursive: true })
  return best
}

const arguments_ = process.argv.slice(2)
const isAnew = arguments_.includes('--all')
const heard = record(arguments_.filter((one) => one !== '--all'))
const examples = readExamples()

const of = (key: string) => {
  const found = heard.get(key)
  return found && tidy(found, key)
}

function routeExample({ id, body, answers }: Route): RouteExample | undefined {
  const statuses = Object.keys(answers)
  const found = statuses.flatMap((status) => {
    const one = of(`${id} ${status}`)
    return one ? [{ status, one }] : []
  })
  // Of an order and a dry run of it, the request is that of the order.
  const first = found.find(({ status }) => status === '201') ?? found[0]
  if (!first) return undefined
  const { params, query, request } = first.one
  return {
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(request !== undefined && { request: withoutUnknown(body, request) }),
    answers: Object.fromEntries(
      found.flatMap(({ status, one }) => (one.answer === undefined ? [] : [[status, one.answer]])),
    ),
  }
}

for (const route of routes) {
  const known = examples.routes[route.id]
  const stays = known && !isAnew && problemsOf(route, known).length === 0
  const fresh = routeExample(route)
  // Of an example that stays, only answers that it lacks are taken.
  const made = stays && fresh ? { ...known, answers: { ...fresh.answers, ...known.answers } } : fresh
  if (made && problemsOf(route, made).length === 0) examples.routes[route.id] = made
  else if (made) process.stderr.write(`${problemsOf(route, made).join('\n')}\n`)
}
for (const [type, { body }] of Object.entries(eventDocuments)) {
  const answer = of(`event ${type}`)?.answer as Record<string, unknown> | undefined
  if (!answer || (!isAnew && body.safeParse(examples.events[type]).success)) continue
  const { id: _, ...sent } = answer
  if (body.safeParse(sent).success) examples.events[type] = sent
  else process.stderr.write(`${type}: ${body.safeParse(sent).error?.message}\n`)
}
for (const code of Object.keys(errorCodes)) {
  const answer = of(`error ${code}`)?.answer
  if (answer && (isAnew || !examples.errors[code])) examples.errors[code] = answer
}

const byName = <T>(record: Record<string, T>) =>
  Object.entries(record)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(',\n')
const sections = Object.entries(examples).map(
  ([name, section]) => `  ${JSON.stringify(name)}: {\n${byName(section)}\n  }`,
)
writeFileSync(EXAMPLES, `{\n${sections.join(',\n')}\n}\n`)

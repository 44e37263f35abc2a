// Proves that a stranger who gets a dump of the database, the data folder or the log of the service finds nothing of a
// person in them: npm run prove:canaries -- [--before commit]
// The same look at the version before sealing must find nearly everything. --before none leaves that out.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { allScopes } from '../src/domain/scopes.ts'
import { caller } from '../test/harness/caller.ts'
import { freePort } from '../test/harness/free-port.ts'
import { spawnKitlane } from '../test/harness/kitlane.ts'
import { startMailServer } from '../test/harness/smtp.ts'
import { travel } from './canaries/journey.ts'
import { type Canary, Marks } from './canaries/marks.ts'
import { dumpOf, filesOf, type Place, textOf } from './canaries/places.ts'
import { searchFor } from './canaries/search.ts'
import { type Journey, kinds } from './canaries/traveller.ts'
import { type Figure, record, report } from './record.ts'
import { checkOut, commitBefore } from './upgrade/before.ts'

/** The last commit that kept people and results in clear. */
const BEFORE_SEALING = '60e55ae'
const LEAST_FOUND_BEFORE = 0.9

const { values } = parseArgs({
  options: {
    before: { type: 'string', default: BEFORE_SEALING },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const figures: Figure[] = []
const add = (figure: Figure) => {
  figures.push(figure)
  report([figure])
}

const since = performance.now()
console.log('This checkout:')
const now = await look()
for (const { name, parts } of now.places) {
  const { all, where } = found(now.canaries, parts())
  add({ name: `of ${now.canaries.length} canaries found in ${name}`, actual: all.size, expected: 0 })
  for (const [canary, from] of where) console.log(`       ${canary.kind}: ${canary.text} in ${[...from].join(', ')}`)
}
if (values.before !== 'none') await control(values.before)
if (values.record) record('canaries', { promises: [], figures })
console.log(`It took ${Math.round((performance.now() - since) / 1000)} s.`)

/** The negative control: the same journey and the same look, on the version before. */
async function control(revision: string): Promise<void> {
  const commit = commitBefore(revision)
  if (!commit) throw new Error(`this clone does not hold ${revision}`)
  const before = await checkOut(commit)
  try {
    console.log(`\nBefore, ${before.subject}:`)
    const { canaries, places } = await look(before.launcher)
    const all = new Set<Canary>()
    for (const { name, parts } of places) {
      const here = found(canaries, parts()).all
      for (const canary of here) all.add(canary)
      console.log(`       canaries found in ${name}: ${here.size} of ${canaries.length}`)
    }
    const neverInClear: readonly string[] = Object.values(kinds)
    const counted = canaries.filter(({ kind }) => !neverInClear.includes(kind))
    for (const [kind, ofKind] of Map.groupBy(canaries, ({ kind }) => kind)) {
      const missing = ofKind.filter((one) => !all.has(one)).map(({ text }) => text)
      const note = neverInClear.includes(kind)
        ? ', not counted'
        : missing.length > 0
          ? `, not ${missing.join(', ')}`
          : ''
      console.log(`         ${kind}: ${ofKind.length - missing.length} of ${ofKind.length}${note}`)
    }
    const inClear = counted.filter((one) => all.has(one)).length
    const expected = Math.ceil(counted.length * LEAST_FOUND_BEFORE)
    add({ name: `control: of ${counted.length} found before sealing`, actual: inClear, expected, atLeast: true })
  } finally {
    await before.remove()
  }
}

function found(canaries: readonly Canary[], parts: ReturnType<Place['parts']>) {
  const search = searchFor(canaries)
  const where = new Map<Canary, Set<string>>()
  for (const [from, bytes] of parts)
    for (const canary of search.in(bytes)) where.set(canary, (where.get(canary) ?? new Set()).add(from))
  return { all: new Set(where.keys()), where }
}

interface Looked {
  canaries: readonly Canary[]
  places: Place[]
}

/** Lives through the journey with a service of its own, and keeps what it leaves behind. */
async function look(launcher?: string): Promise<Looked> {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-canaries-'))
  const data = join(folder, 'data')
  const mails = await startMailServer()
  const env = {
    SMTP_URL: mails.url,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
    LOG_LEVEL: 'debug',
    SECOND_FACTOR: 'optional',
    STOP_DELAY_SECONDS: '0',
  }
  const port = String(await freePort())
  const service = spawnKitlane(['start', '--port', port, '--data', data], env, folder, { launcher })
  try {
    await service.until(/Kitlane is ready on/)
    const output: string[] = []
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await spawnKitlane([...args, '--data', data], env, folder, { launcher }).ended
      if (code !== 0) throw new Error(`kitlane ${args[0]} ended with ${code}:\n${stdout}${stderr}`)
      output.push(stderr)
      return stdout
    }
    const marks = new Marks()
    const callers = await callersOf(`http://127.0.0.1:${port}`, run, await scopesOf(launcher))
    const step: Journey['step'] = async (name, work) => {
      try {
        const result = await work()
        marks.settle(true)
        return result
      } catch (err) {
        marks.settle(false)
        const why = `left out: ${name}: ${err instanceof Error ? err.message : err}`
        // Only the version before may lack something.
        if (launcher) console.log(`       ${why}`)
        else add({ name: why, actual: 1, expected: 0 })
        return undefined
      }
    }
    await travel({ ...callers, marks, run, step, mails: () => mails.received.map(({ raw }) => raw) })
    const { dump, tables } = await dumpOf(data)
    service.child.kill('SIGTERM')
    const { code, stdout, stderr } = await service.ended
    if (code !== 0) throw new Error(`the service ended with ${code}:\n${stderr.slice(-2000)}`)
    const lines = `${stdout}${stderr}`.split('\n').length
    const log = textOf(`the log at LOG_LEVEL=debug (${lines} lines)`, {
      stdout,
      stderr,
      'stderr of commands': output.join('\n'),
    })
    return { canaries: marks.taken, places: [dump, filesOf(data, tables), log] }
  } finally {
    service.child.kill('SIGTERM')
    await service.ended
    await mails.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The scopes that a checkout knows: the version before has fewer. */
async function scopesOf(launcher: string | undefined): Promise<readonly string[]> {
  if (!launcher) return allScopes
  return (await import(join(dirname(launcher), '../src/domain/scopes.ts'))).allScopes
}

async function callersOf(url: string, run: Journey['run'], scopes: readonly string[]) {
  const business = 'Clinic'
  await run('business', 'create', '--name', business, '--credits', '1000', '--json')
  await run('business', 'set', '--business', business, 'uploadsEnabled=true', 'publishing=manual')
  const all = ['--name', 'all', '--scopes', scopes.join(',')]
  const tokenOf = async (mode: string) => {
    const made = await run('token', 'create', '--business', business, '--mode', mode, ...all, '--json')
    return JSON.parse(made).token
  }
  const stations = 'fulfilment,lab,review,catalogue,mail,businesses,system'
  const made = await run('operator-token', 'create', '--name', 'proof', '--scopes', stations, '--json')
  return {
    url,
    live: caller(url, await tokenOf('live')),
    sandbox: caller(url, await tokenOf('sandbox')),
    operator: caller(url, JSON.parse(made).token, { prefix: '/operator/v1' }),
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { z } from 'zod'
import { randomBase62 } from '../../src/domain/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'
import { installJobs } from '../../src/platform/jobs/install.ts'
import { type JobRun, job } from '../../src/platform/jobs/job.ts'
import { type Jobs, startJobs } from '../../src/platform/jobs/start.ts'
import { createLogger } from '../../src/platform/log.ts'
import { databaseOf, withDatabase } from '../harness/urls.ts'
import { cloned } from '../harness/world.ts'

const ran: { name: string; run: JobRun; n?: number }[] = []
let mayFinish = false

const echo = job({
  name: 'test.echo',
  input: z.object({ n: z.number() }),
  retryLimit: 3,
  expireInSeconds: 60,
  concurrency: 2,
  async handler(run: JobRun, { n }) {
    ran.push({ name: 'echo', run, n })
  },
})
const flaky = job({
  name: 'test.flaky',
  input: z.object({}),
  retryLimit: 1,
  expireInSeconds: 60,
  async handler(run: JobRun) {
    ran.push({ name: 'flaky', run })
    if (run.attempt === 1)
      throw Object.assign(new Error('canary'), { code: '22P02', detail: 'canary', canary: 'canary' })
  },
})
const hanging = job({
  name: 'test.hanging',
  input: z.object({}),
  retryLimit: 1,
  expireInSeconds: 60,
  async handler(run: JobRun) {
    ran.push({ name: 'hanging', run })
    while (!mayFinish && !run.signal.aborted) await delay(10)
  },
})
const queues = [echo, flaky, hanging]

const logged: string[] = []
const log = createLogger({ level: 'debug', stream: { write: (line) => void logged.push(line) } })
const template = inject('template')
const original = Client.prototype.query
let urls: DatabaseUrls
let owner: Client
let app: Client
let api: Jobs
let worker: Jobs

const start = (work: boolean) =>
  startJobs({
    appUrl: urls.app,
    role: 'kitlane_app',
    asOwner: urls.asOwner,
    directUrl: urls.direct,
    log,
    clock: systemClock,
    queues,
    work,
    context: (run) => run,
  })

const until = (condition: () => boolean) => expect.poll(condition, { interval: 5 }).toBe(true)

const looks = (asked: readonly string[]) =>
  asked.filter((text) => text.includes('from unnest($1::text[]) q (name)')).length

/** The statements that this process sends to the database of this file, as they come: a service that other files share runs beside it. */
function watchStatements() {
  const asked: string[] = []
  const query = vi.spyOn(Client.prototype, 'query')
  query.mockImplementation(function (this: Client, ...args: unknown[]) {
    const [what] = args as [string | { text?: string }]
    if (this.database === databaseOf(urls)) asked.push(typeof what === 'string' ? what : (what.text ?? ''))
    return Reflect.apply(original, this, args)
  })
  return { asked, stop: () => query.mockRestore() }
}

const count = (name: string) => ran.filter((each) => each.name === name).length

async function connected(url: string, role?: string): Promise<Client> {
  const client = new Client({ connectionString: url, ...(role && { options: `-c role=${role}` }) })
  await client.connect()
  return client
}

beforeAll(async () => {
  const admin = await connected(withDatabase(template, 'postgres').owner)
  const name = `${databaseOf(template)}_jobs_${randomBase62(6).toLowerCase()}`
  await cloned(admin, name, databaseOf(template))
  await admin.end()
  urls = withDatabase(template, name)
  await Promise.all([1, 2].map(() => installJobs(urls.owner, queues, log)))
  owner = await connected(urls.owner)
  app = await connected(urls.app, urls.asOwner ? 'kitlane_app' : undefined)
  api = await start(false)
  worker = await start(true)
})

afterAll(async () => {
  await worker?.stop({ timeoutMs: 2000 })
  await api?.stop({ timeoutMs: 2000 })
  await app?.end()
  await owner?.end()
})

describe('a job', () => {
  it('exists when the transaction that asked for it commits, and not otherwise', async () => {
    await app.query('begin')
    await api.enqueue(app, 'test.echo', { n: -1 })
    await app.query('rollback')
    await app.query('begin')
    const id = await api.enqueue(app, 'test.echo', { n: 1 })
    await app.query('commit')
    await until(() => count('echo') === 1)
    expect(ran[0]).toMatchObject({ n: 1, run: { id, name: 'test.echo', attempt: 1, last: false } })
  })

  it('is announced as it commits: it does not wait for the next look at all queues', async () => {
    const { asked, stop } = watchStatements()
    try {
      // A machine may be so busy that a look comes between. Without the announcement one comes every time.
      await expect
        .poll(async () => {
          const before = count('echo')
          asked.length = 0
          await api.enqueue(app, 'test.echo', { n: 5 })
          await until(() => count('echo') > before)
          return looks(asked)
        })
        .toBe(0)
    } finally {
      stop()
    }
  })

  it('can be asked for across realms as well', async () => {
    const before = count('echo')
    await app.query('begin; set local role kitlane_system')
    await api.enqueue(app, 'test.echo', { n: 2 })
    await app.query('commit')
    await until(() => count('echo') === before + 1)
  })

  it('runs once each when many come at once', async () => {
    const before = ran.length
    await api.enqueueMany(
      app,
      'test.echo',
      Array.from({ length: 300 }, (_, n) => ({ n: 1000 + n })),
    )
    await until(() => ran.length >= before + 300)
    expect(ran.some(({ n }) => n === -1)).toBe(false)
    expect(new Set(ran.slice(before).map(({ n }) => n)).size).toBe(300)
    expect(ran.length).toBe(before + 300)
  })

  it('does not run before its time', async () => {
    const before = count('echo')
    const asked = performance.now()
    await api.enqueue(app, 'test.echo', { n: 3 }, { startAfter: new Date(systemClock.now().getTime() + 700) })
    await until(() => count('echo') === before + 1)
    expect(performance.now() - asked).toBeGreaterThan(650)
  })

  it('that failed is tried again, and what it failed of is neither logged nor stored beyond its codes', async () => {
    await api.enqueue(app, 'test.flaky', {})
    await until(() => count('flaky') === 2)
    expect(ran.filter(({ name }) => name === 'flaky').map(({ run }) => [run.attempt, run.last])).toEqual([
      [1, false],
      [2, true],
    ])
    const { rows } = await app.query(`select output::text from pgboss.job where name = 'test.flaky'`)
    expect(JSON.stringify(rows)).not.toContain('canary')
    const lines = logged.filter((line) => line.includes('job failed'))
    expect(lines).toHaveLength(1)
    expect(lines.join()).toContain('"code":"22P02"')
    expect(logged.join()).not.toContain('canary')
  })

  it('with a wrong input or name is refused when it is asked for', async () => {
    await expect(api.enqueue(app, 'test.echo', { n: 'one' })).rejects.toThrow(z.ZodError)
    await expect(api.enqueue(app, 'test.nothing', {})).rejects.toThrow('There is no job test.nothing')
  })

  it('that does not end is given back when its worker stops, and run by the next', async () => {
    await api.enqueue(app, 'test.hanging', {})
    await until(() => count('hanging') === 1)
    await worker.stop({ timeoutMs: 1000 })
    expect(ran.at(-1)?.run.signal.aborted).toBe(true)
    mayFinish = true
    worker = await start(true)
    await until(() => count('hanging') === 2)
    expect(ran.at(-1)?.run.attempt).toBe(2)
  })
})

describe('the worker', () => {
  it('goes on after its connections were cut', async () => {
    await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'kitlane-jobs' and datname = current_database()`)
    const before = count('echo')
    await until(() => logged.some((line) => line.includes('job queue error')))
    await app.query(`select 1`)
    let asked = false
    while (!asked) {
      asked = await api.enqueue(app, 'test.echo', { n: 4 }).then(
        () => true,
        () => false,
      )
    }
    await until(() => count('echo') === before + 1)
  })

  it('asks one statement for all queues while none has a job that is due, and nothing of a single queue', async () => {
    const { asked, stop } = watchStatements()
    const ofOneQueue = () => asked.filter((text) => queues.some(({ name }) => text.includes(`'${name}'`)))
    // A look may have found what the test before left, and asks its queue after that.
    do {
      asked.length = 0
      await until(() => looks(asked) >= 2)
    } while (ofOneQueue().length > 0)
    asked.length = 0
    const began = performance.now()
    // Looks are counted, not seconds: a busy machine has fewer of them in a second.
    await until(() => looks(asked) >= 3)
    stop()
    expect(ofOneQueue()).toEqual([])
    // Besides: one round of maintenance, and of schedules, in 30 s, which is 28 statements.
    const rounds = 1 + Math.floor((performance.now() - began) / 30_000)
    expect(asked.length - looks(asked)).toBeLessThanOrEqual(28 * rounds)
  })

  it('hears of the jobs of schedules at once, through the queue that pg-boss keeps for them', async () => {
    const { rows } = await owner.query(`select notify from pgboss.queue where name = '__pgboss__send-it'`)
    expect(rows).toEqual([{ notify: true }])
  })

  it('may not change the schema of the queue', async () => {
    for (const sql of ['create table pgboss.x ()', 'drop table pgboss.job', 'truncate pgboss.job']) {
      await expect(app.query(sql)).rejects.toMatchObject({ code: '42501' })
    }
  })
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { childPrograms } from '@kitlane/lab-reader/parse/start-child'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { decodeDataUri } from '../../src/modules/lab/upload/data-uri.ts'
import { openGate } from '../../src/platform/gate.ts'
import { check } from '../../src/platform/http/check.ts'
import { inSlices } from '../../src/platform/slices.ts'
import type { Reply } from '../harness/caller.ts'
import { childrenCpuMs, compute } from '../harness/loop.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { importsOf, read, trackedFiles } from '../harness/sources.ts'
import { ownWorld, sharedWorld, type World } from '../harness/world.ts'
import { makePdf } from '../samples/make-pdf.ts'
import { labcorp } from '../samples/pdf-pages.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})
afterAll(() => world.stop())

describe('the thread that answers requests', () => {
  it('never reads a file of a laboratory: only the programs of child processes import what does', () => {
    const sources = read(trackedFiles().filter((path) => /^src\/.*\.ts$/.test(path)))
    const byPath = new Map(sources.map((source) => [source.path, source]))
    const reached = new Set<string>()
    const follow = (path: string) => {
      const source = byPath.get(path)
      if (!source || reached.has(path)) return
      reached.add(path)
      for (const { to, typeOnly } of importsOf(source)) if (!typeOnly) follow(to)
    }
    follow('src/cli/main.ts')
    follow('src/service/app.ts')
    expect(reached.size).toBeGreaterThan(200)
    const readers = [...reached].filter((path) => /\/parse\/(pdf|hl7|fhir|csv|child|parse-bytes)\b/.test(path))
    expect(readers).toEqual([])
  })

  it('takes turns with a long list: whatever waits comes between two slices', async () => {
    const order: string[] = []
    const neighbour = (async () => {
      for (const turn of [1, 2]) {
        await nextTurn()
        order.push(`neighbour ${turn}`)
      }
    })()
    const work = inSlices([1, 2, 3], (item) => {
      compute(12)
      order.push(`slice ${item}`)
    })
    await Promise.all([work, neighbour])
    expect(order).toEqual(['slice 1', 'neighbour 1', 'slice 2', 'neighbour 2', 'slice 3'])
  })
})

it('a service that is held up refuses requests until it has caught up, and says all the while that it lives', async () => {
  const busy = await ownWorld('keeps the service busy', {}, { maxLoopDelayMs: 100 })
  const replies: Reply[] = []
  do {
    compute(400)
    replies.push(await busy.anonymous.get('/verify-token'))
  } while (replies.length < 30 && replies.at(-1)?.status !== 503)
  expect(replies.at(-1)).toMatchObject({ status: 503, body: { code: 'OVERLOADED' } })
  expect((await fetch(`${busy.service.url}/health/live`)).status).toBe(200)
  await expect.poll(async () => (await busy.anonymous.get('/verify-token')).status).toBe(401)
  await busy.stop()
})

describe('a list of many wrong entries', () => {
  it('is checked until 100 problems are known, and no further', async () => {
    let looked = 0
    const entry = z.string().refine(() => {
      looked++
      return false
    }, 'wrong')
    const result = await check(z.object({ rows: z.array(entry).max(10_000) }), { rows: Array(10_000).fill('x') })
    expect(result).toMatchObject({ isAll: false })
    expect('issues' in result && result.issues.length).toBe(100)
    expect(looked).toBe(100)
  })

  it('that is too long is refused for that, whatever is in it', async () => {
    let looked = 0
    const entry = z.unknown().refine(() => ++looked > 0)
    const result = await check(z.object({ rows: z.array(entry).max(50).optional() }), {
      rows: Array(1_000_000).fill(0),
    })
    expect('issues' in result && result.issues.map(({ code }) => code)).toEqual(['too_big'])
    expect(looked).toBeLessThanOrEqual(51)
  })

  it('says the same of a long list as of a short one: the refinements of the whole hold, too', async () => {
    const body = z
      .object({ rows: z.array(z.object({ n: z.int().default(3) })).max(60), note: z.string().optional() })
      .refine(({ note }) => note !== 'no', { message: 'not that', path: ['note'] })
    const rows = Array.from({ length: 60 }, (_, index) => (index % 2 ? { n: String(index) } : {}))
    const taken = await check(body, { rows, note: null })
    expect(taken).toEqual({ data: { rows: rows.map((_, index) => ({ n: index % 2 ? index : 3 })) } })
    const refused = await check(body, { rows, note: 'no' })
    expect('issues' in refused && refused.issues.map(({ message }) => message)).toEqual(['not that'])
    const one = await check(body, { rows: rows.with(7, { n: 'x' }), note: 'no' })
    expect('issues' in one && one.issues.map(({ path }) => path.join('.'))).toContain('rows.7.n')
  })

  it('as 10,000 rows answers with 100 problems and says that there are more', async () => {
    const clinic = await world.business()
    const bulkUploadData = Array.from({ length: 10_000 }, () => ({ kit_type: CORE, quantity: 0 }))
    const { status, body } = await clinic.live.post('/create-order', { bulkUploadData })
    expect([status, body.details.length]).toEqual([400, 101])
    expect(body.details[100].message).toMatch(/more problems/)
  })

  it('as a dry run still tells the good rows from the bad', async () => {
    const clinic = await world.business()
    const { address, ...recipient } = anOrder().recipient
    const good = { ...recipient, ...address, kit_type: CORE }
    const bulkUploadData = Array.from({ length: 2000 }, (_, index) => (index % 4 === 3 ? good : { kit_type: CORE }))
    const { status, body } = await clinic.live.post('/create-order?dryRun=true', { bulkUploadData })
    expect([status, body.rows.filter(({ valid }: { valid: boolean }) => valid).length]).toEqual([200, 500])
    const reported = body.rows.reduce((sum: number, { errors }: { errors: unknown[] }) => sum + errors.length, 0)
    expect(reported).toBeLessThan(1000 + 10 + 1500)
  })
})

describe('a body', () => {
  it('of more values than any request needs is refused by its bytes', async () => {
    const clinic = await world.business()
    const fields = Array.from({ length: 260_000 }, (_, index) => `"f${index}":1`).join()
    for (const text of [`{${fields}}`, `{"bulkUploadData":[${Array(750_000).fill('0').join()}]}`]) {
      const response = await fetch(`${world.service.url}/api/v1/create-order`, {
        method: 'POST',
        headers: { authorization: `Token ${clinic.liveToken}`, 'content-type': 'application/json' },
        body: text,
      })
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    }
  })

  it('with brackets, quotes and backslashes in its texts is no deeper for that', async () => {
    const clinic = await world.business()
    const order = anOrder()
    const street1 = `1 Main Street ${'[{'.repeat(40)} \\" \\\\`
    const recipient = { ...order.recipient, address: { ...order.recipient.address, street1 } }
    const { status, body } = await clinic.live.post('/create-order', { ...order, recipient })
    expect(status).toBe(201)
    expect((await clinic.live.get(`/orders/${body.orderId}`)).body.recipientAddress.street1).toBe(street1)
  })
})

describe('a file as base64', () => {
  const uri = (text: string) => `data:application/pdf;base64,${text}`

  it('of any size that a body holds is taken', () => {
    for (const size of [1, 2, 3, 4 * 1024 * 1024, 8_999_999]) {
      expect(decodeDataUri(uri(Buffer.alloc(size, 1).toString('base64'))).content.length).toBe(size)
    }
  })

  it('that is none is refused', () => {
    for (const text of ['YQ', 'YQ=', 'YQ===', 'Y=Q=', 'YW Jj', 'YWJj\n', 'YW-_', 'YWé=', 'YQ==YQ==', '====']) {
      expect(() => decodeDataUri(uri(text)), text).toThrow(/not base64/)
    }
  })
})

describe('the process that reads files', () => {
  it('is shared in turns: one owner with many files holds up another by one of them', async () => {
    const gate = openGate({
      maxAtOnce: 1,
      maxWaitingEach: 3,
      maxWaiting: 5,
      refusal: (tooMany) => Object.assign(new Error(tooMany), { code: 'BUSY' }),
    })
    const order: string[] = []
    const go = async (owner: string) => {
      const leave = await gate.enter(owner)
      order.push(owner)
      await nextTurn()
      leave()
    }
    const many = ['a', 'a', 'a', 'a', 'b', 'c'].map(go)
    await expect(go('a'), 'one owner too many').rejects.toMatchObject({ code: 'BUSY' })
    await expect(go('d'), 'all too many').rejects.toMatchObject({ code: 'BUSY' })
    await Promise.all(many)
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'a'])
    await go('d')
    expect(order.at(-1)).toBe('d')
  })

  it('reads what a laboratory sends as text, whatever it is, while others are answered', async () => {
    childPrograms.answer = undefined
    const lab = await operatorWith(world, ['lab'])
    const clinic = await world.business()
    const text = (await makePdf(labcorp)).toString('latin1')
    const before = childrenCpuMs()
    const sent = lab('POST', '/lab/results', text, { 'content-type': 'text/plain' })
    expect((await clinic.live.get('/credits')).status).toBe(200)
    const { status } = await sent
    expect([200, 422]).toContain(status)
    // What was read was read by a process that has ended.
    await expect.poll(childrenCpuMs).toBeGreaterThan(before)
  })
})

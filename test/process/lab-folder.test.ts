import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type WatchOptions, watchFolder } from '../../src/extensions/lab-folder/watch.ts'
import type { PerformRequest } from '../../src/platform/http/perform.ts'
import { createLogger } from '../../src/platform/log.ts'
import { controlId } from '../harness/disorder.ts'
import { operatorToken } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let token: string
let root: string
beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
  token = await operatorToken(world, ['lab'])
})
afterAll(() => world.stop())
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kitlane-lab-'))
  return () => rm(root, { recursive: true })
})

/** As the service performs what arrives in the folder, over a socket. */
const perform: PerformRequest = async ({ url, method, headers, body }) => {
  const answer = await fetch(world.service.url + url, { method, headers, body: body && new Uint8Array(body) })
  return { status: answer.status, payload: await answer.text() }
}

async function watching<T>(use: (logged: string[]) => Promise<T>, given: Partial<WatchOptions> = {}): Promise<T> {
  const logged: string[] = []
  const watch = await watchFolder({
    settings: { path: root, token },
    log: createLogger({ level: 'debug', stream: { write: (line) => void logged.push(line) } }),
    now: () => new Date(),
    perform,
    lookMs: 20,
    quietMs: 40,
    againMs: 40,
    ...given,
  })
  try {
    return await use(logged)
  } finally {
    await watch.stop()
  }
}

async function aKit(): Promise<string> {
  const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
  const { kitID } = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0]
  const person = {
    firstName: 'Bo',
    lastName: 'Tester',
    email: `${kitID}@example.test`,
    dateOfBirth: '1980-02-29',
    sex: 'F',
  }
  expect((await clinic.live.post(`/kits/${kitID}/register`, person)).status).toBe(200)
  return kitID
}

const oru = (kitID: string, id = controlId()): string =>
  [
    `MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|${id}|P|2.5.1`,
    'PID|1||X||Tester^Bo||19800229|F',
    `OBR|1|${kitID}|ACC|24331-1^Lipid panel^LN|||20260401083000|||||||||||||||20260402110000|||F`,
    'OBX|1|NM|13457-7^LDL Cholesterol^LN||97|mg/dL|0-99|N|||F',
    '',
  ].join('\r')

const versionsOf = async (kitID: string): Promise<number[]> =>
  (await clinic.live.get(`/reports?kitID=${kitID}`)).body.data.map(({ version }: { version: number }) => version)

/** The names in a folder, without the time before those that were moved. */
const namesIn = async (...path: string[]): Promise<string[]> =>
  (await readdir(join(root, ...path)).catch(() => [])).map((name) => name.replace(/^\d{8}T\d{6}\.\d{3}Z-/, '')).sort()
const soon = (look: () => Promise<unknown>) => expect.poll(look)

describe('a folder of a laboratory', () => {
  it('has its files taken, each acknowledged by moving it, be it at the top or in the folder of one laboratory', async () => {
    const [first, second] = [await aKit(), await aKit()]
    await mkdir(join(root, 'northside'))
    await writeFile(join(root, 'one.hl7'), oru(first))
    await writeFile(
      join(root, 'northside', 'two.json'),
      JSON.stringify({ kitID: second, results: [{ loinc: '13457-7', name: 'LDL', value: 96, unit: 'mg/dL' }] }),
    )
    await watching(async () => {
      await soon(() => namesIn('done')).toEqual(['one.hl7'])
      await soon(() => namesIn('northside', 'done')).toEqual(['two.json'])
    })
    expect(await namesIn()).toEqual(['done', 'northside'])
    expect([await versionsOf(first), await versionsOf(second)]).toEqual([[1], [1]])
  })

  it('gives back what is refused, with the reason beside it, and no name of a file is logged', async () => {
    await writeFile(join(root, 'Tester_Bo.hl7'), 'MSH|^~\\&|LAB|X|||20260402||ADT^A01|1|P|2.5\rPID|1\r')
    await writeFile(join(root, 'Tester_Bo.pdf'), '%PDF-1.7 …')
    await writeFile(join(root, 'Tester_Bo.big'), Buffer.alloc(2 * 1024 * 1024 + 1))
    await writeFile(join(root, 'Tester_Bo.void'), '')
    const logged = await watching(async (lines) => {
      await soon(async () => (await namesIn('refused')).length).toBe(8)
      return lines
    })
    const reasons = (await readdir(join(root, 'refused'))).filter((name) => name.endsWith('.why.txt')).sort()
    const texts = await Promise.all(reasons.map((name) => readFile(join(root, 'refused', name), 'utf8')))
    for (const name of reasons) expect((await stat(join(root, 'refused', name))).mode & 0o777).toBe(0o644)
    expect(texts.join('')).toMatch(/FILE_NOT_READABLE: .*\n/)
    expect(texts.join('')).toContain('Upload Tester_Bo.pdf in the dashboard')
    expect(texts.join('')).toContain('larger than 2 MB')
    expect(texts.join('')).toContain('The file is empty')
    expect(logged.join('')).toContain('was refused')
    expect(logged.join('')).not.toContain('Tester')
  })

  it('is left alone while a file grows, is called as uploads under way are, or is a link', async () => {
    const kit = await aKit()
    await writeFile(join(root, 'half.hl7.part'), oru(kit))
    await writeFile(join(root, '.half.hl7'), oru(kit))
    await symlink(join(root, '.half.hl7'), join(root, 'link.hl7'))
    await mkdir(join(root, 'elsewhere.tmp'))
    await writeFile(join(root, 'elsewhere.tmp', 'one.hl7'), oru(kit))
    const grows = join(root, 'grows.hl7')
    await watching(
      async () => {
        for (const size of [10, 60, 120, oru(kit).length]) {
          await writeFile(grows, oru(kit).slice(0, size))
          await new Promise((resolve) => setTimeout(resolve, 60))
          expect(await namesIn('done')).toEqual([])
        }
      },
      // Longer than this test: what it sees does not depend on how busy the machine is.
      { quietMs: 600_000 },
    )
    expect(await versionsOf(kit)).toEqual([])
    await watching(() => soon(() => namesIn('done')).toEqual(['grows.hl7']))
    await rename(join(root, 'half.hl7.part'), join(root, 'half.hl7'))
    await watching(() => soon(() => namesIn('done')).toEqual(['grows.hl7', 'half.hl7']))
    expect(await namesIn()).toEqual(['.half.hl7', 'done', 'elsewhere.tmp', 'link.hl7'])
  })

  it('is taken again where the process ended before it moved a file, which changes nothing', async () => {
    const kit = await aKit()
    const text = oru(kit)
    await writeFile(join(root, 'one.hl7'), text)
    await watching(() => soon(() => namesIn('done')).toEqual(['one.hl7']))
    await writeFile(join(root, 'one.hl7'), text)
    await watching(() => soon(() => namesIn('done')).toEqual(['one.hl7', 'one.hl7']))
    expect(await versionsOf(kit)).toEqual([1])
  })

  it('is taken once where a message has no ID of its own and the process ended before it moved the file', async () => {
    const kit = await aKit()
    const results = [{ loinc: '13457-7', name: 'LDL', value: 96, unit: 'mg/dL' }]
    await writeFile(join(root, 'one.json'), JSON.stringify({ kitID: kit, results }))
    await symlink(tmpdir(), join(root, 'done'))
    const answers: string[] = []
    const counting: PerformRequest = async (request) => {
      const answer = await perform(request)
      answers.push(answer.payload)
      return answer
    }
    await watching(() => soon(async () => answers.length).toBeGreaterThan(1), { perform: counting })
    expect(new Set(answers).size).toBe(1)
    await rm(join(root, 'done'))
    await watching(() => soon(() => namesIn('done')).toEqual(['one.json']))
    expect((await clinic.live.get(`/kits/${kit}/received-documents`)).body.data).toHaveLength(1)
  })

  it('is not taken again and again where the clock of its sender is ahead', async () => {
    const kit = await aKit()
    await writeFile(join(root, 'one.hl7'), oru(kit))
    await utimes(join(root, 'one.hl7'), new Date(), new Date(Date.now() + 3_600_000))
    let rounds = 0
    let taken = 0
    const given: Partial<WatchOptions> = {
      now: () => {
        rounds++
        return new Date()
      },
      perform: (request) => {
        taken++
        return perform(request)
      },
    }
    await watching(async () => {
      await soon(() => namesIn('done')).toEqual(['one.hl7'])
      const before = rounds
      await soon(async () => rounds - before).toBeGreaterThan(10)
    }, given)
    expect([taken, await namesIn()]).toEqual([1, ['done']])
  })

  it('gets back a file that its sender went on to write after it was taken', async () => {
    const kit = await aKit()
    const [first, second] = [oru(kit), oru(await aKit())]
    await writeFile(join(root, 'batch.hl7'), first)
    await watching(() => soon(() => namesIn('done')).toEqual(['batch.hl7']))
    const [taken = ''] = await readdir(join(root, 'done'))
    const path = join(root, 'done', taken)
    await writeFile(path, first + second)
    await utimes(path, new Date(), new Date(Date.now() + 60_000))
    const answers: number[] = []
    await watching(() => soon(async () => answers).toEqual([200]), {
      now: () => new Date(Date.now() + 120_000),
      perform: async (request) => {
        const answer = await perform(request)
        answers.push(answer.status)
        return answer
      },
    })
    expect(await versionsOf(kit)).toEqual([1])
  })

  it('keeps its files where they are while the service is busy or the token does not count', async () => {
    const kit = await aKit()
    await writeFile(join(root, 'one.hl7'), oru(kit))
    const tries: number[] = []
    const logged = await watching(
      async (lines) => {
        await soon(async () => tries.length).toBeGreaterThan(2)
        return lines
      },
      {
        settings: { path: root, token: 'kl_oper_nobody' },
        perform: async (request) => {
          const answer = tries.length === 1 ? { status: 503, payload: '{}' } : await perform(request)
          tries.push(answer.status)
          return answer
        },
      },
    )
    expect(tries.slice(0, 3)).toEqual([401, 503, 401])
    expect(logged.join('')).toContain('token of the folder of laboratories does not count')
    expect(await namesIn()).toEqual(['one.hl7'])
    await watching(() => soon(() => namesIn('done')).toEqual(['one.hl7']))
    expect(await versionsOf(kit)).toEqual([1])
  })

  it('does not let one file that cannot be processed hold up the others', async () => {
    await writeFile(join(root, 'a.hl7'), 'poison')
    await writeFile(join(root, 'b.hl7'), oru(await aKit()))
    await watching(() => soon(() => namesIn('done')).toEqual(['b.hl7']), {
      perform: (request) =>
        String(request.body) === 'poison' ? Promise.resolve({ status: 500, payload: '{}' }) : perform(request),
    })
    expect(await namesIn()).toEqual(['a.hl7', 'done'])
  })

  it('moves nothing elsewhere by a link in the place of its own folders, and the folders of others go on', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'kitlane-outside-'))
    await symlink(outside, join(root, 'done'))
    await writeFile(join(root, 'one.hl7'), oru(await aKit()))
    await mkdir(join(root, 'southside'))
    await writeFile(join(root, 'southside', 'two.hl7'), oru(await aKit()))
    await watching(async (lines) => {
      await soon(async () => lines.join('')).toContain('a folder of a laboratory cannot be read or written')
      await soon(() => namesIn('southside', 'done')).toEqual(['two.hl7'])
    })
    expect([await readdir(outside), (await stat(join(root, 'one.hl7'))).isFile()]).toEqual([[], true])
    await rm(outside, { recursive: true })
  })

  it('deletes what was taken thirty days ago, and never what was refused', async () => {
    for (const folder of ['done', 'refused']) {
      await mkdir(join(root, folder))
      for (const [day, name] of [
        ['20260301', 'old'],
        ['20260329', 'new'],
      ])
        await writeFile(join(root, folder, `${day}T120000.000Z-${name}.hl7`), 'MSH')
      for (const name of await readdir(join(root, folder)))
        await utimes(join(root, folder, name), new Date('2026-01-01'), new Date('2026-01-01'))
    }
    await watching(() => soon(() => namesIn('done')).toEqual(['new.hl7']), { now: () => new Date('2026-04-01') })
    expect(await namesIn('refused')).toEqual(['new.hl7', 'old.hl7'])
  })

  it('that does not exist stops the start with a sentence', async () => {
    const settings = { path: join(root, 'missing', basename(root)), token }
    await expect(watching(async () => {}, { settings })).rejects.toThrow('LAB_FOLDER_PATH must be a folder')
  })
})

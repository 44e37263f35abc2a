import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { playFolder } from '../../src/extensions/lab-folder/play.ts'
import { type WatchOptions, watchFolder } from '../../src/extensions/lab-folder/watch.ts'
import { createLogger } from '../../src/platform/log.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kitlane-lab-'))
  return () => rm(root, { recursive: true })
})

const REFUSAL = { code: 'FILE_NOT_READABLE', message: 'No results', details: [{ message: 'No results' }] }

/** The service takes all that begins with MSH. Returns what use returns; `bodies` are those it was asked to take, in their order. */
async function watching<T>(
  use: (bodies: string[]) => Promise<T>,
  given: Partial<WatchOptions> = {},
  statusOf: (body: string) => number = (body) => (body.startsWith('MSH') ? 200 : 422),
): Promise<T> {
  const bodies: string[] = []
  const watch = await watchFolder({
    settings: { path: root, token: 'kl_oper_x' },
    log: createLogger({ level: 'silent' }),
    now: () => new Date(),
    perform: async ({ body }) => {
      bodies.push(String(body))
      const status = statusOf(String(body))
      return { status, payload: JSON.stringify(status < 400 ? {} : REFUSAL) }
    },
    lookMs: 5,
    quietMs: 10,
    againMs: 10,
    ...given,
  })
  try {
    return await use(bodies)
  } finally {
    await watch.stop()
  }
}

const put = (name: string | Buffer, text = `MSH ${name}`) =>
  writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name)]), text, { mode: 0o660 })
const movedTo = async (...path: string[]): Promise<string[]> =>
  (await readdir(join(root, ...path)).catch(() => [])).map((name) => name.replace(/^\d{8}T\d{6}\.\d{3}Z-/, '')).sort()
const soon = (look: () => Promise<unknown>) => expect.poll(look)
const forbidden = Object.assign(new Error('no'), { code: 'EACCES' })
const STAMP = '20260301T120000.000Z-'

describe('a folder of a laboratory, whatever lies there', () => {
  it('goes on after a file that the service cannot read', async () => {
    await put('a.hl7')
    await put('b.hl7')
    const read: WatchOptions['read'] = (seen) =>
      seen.path.endsWith('a.hl7') ? Promise.reject(forbidden) : seen.bytes()
    await watching(() => soon(() => movedTo('done')).toEqual(['b.hl7']), { read })
    expect(await movedTo()).toEqual(['a.hl7', 'done'])
  })

  it('gives back a file whose own permissions shut the service out, with what to do', async () => {
    await writeFile(join(root, 'a.hl7'), 'MSH', { mode: 0o600 })
    await watching(() => soon(() => movedTo('refused')).toHaveLength(2), { read: () => Promise.reject(forbidden) })
    const [, why = ''] = (await readdir(join(root, 'refused'))).sort()
    expect(await readFile(join(root, 'refused', why), 'utf8')).toMatch(
      /^Its permissions keep the service from reading it/,
    )
  })

  it('acknowledges a file with the longest name, and says its reason once', async () => {
    await put('x'.repeat(255))
    await put('ü'.repeat(127), 'nothing')
    await watching(async () => {
      await soon(() => movedTo('done')).toEqual(['x'.repeat(226)])
      await soon(() => movedTo('refused')).toEqual(['ü'.repeat(113), `${'ü'.repeat(113)}.why.txt`])
    })
    const [, why = ''] = (await readdir(join(root, 'refused'))).sort()
    expect(await readFile(join(root, 'refused', why), 'utf8')).toBe('FILE_NOT_READABLE: No results\n')
  })

  it('takes a file whose name is not UTF-8', async () => {
    await put(Buffer.from('Gr\xf6\xdfe.hl7', 'latin1'), 'MSH')
    await watching(() => soon(() => movedTo('done')).toEqual(['Größe.hl7']))
    expect(await movedTo()).toEqual(['done'])
  })

  it('lets the laboratory into the folders that the service makes, and nobody whom its own folder shuts out', async () => {
    const modes: number[] = []
    for (const [name, mode] of [
      ['closed', 0o770],
      ['open', 0o755],
    ] as const) {
      await mkdir(join(root, name), { mode })
      await put(`${name}/a.hl7`)
      await watching(() => soon(() => movedTo(name, 'done')).toEqual(['a.hl7']))
      modes.push((await stat(join(root, name, 'done'))).mode & 0o007)
    }
    expect(modes).toEqual([0o005, 0])
  })

  it('gets back what grew after it was taken, also where its sender then set the old time', async () => {
    await put('a.hl7', 'MSH half')
    await watching(async (bodies) => {
      await soon(() => movedTo('done')).toEqual(['a.hl7'])
      const [taken = ''] = await readdir(join(root, 'done'))
      await writeFile(join(root, 'done', taken), 'MSH half and half')
      await utimes(join(root, 'done', taken), new Date(0), new Date(0)).catch(() => {})
      await soon(async () => bodies).toContain('MSH half and half')
    })
  })

  it('is not stopped by names that the laboratory gives to files in done, or to folders', async () => {
    await mkdir(join(root, 'done'))
    for (const name of ['', 'done', '..']) await writeFile(join(root, 'done', STAMP + name), 'MSH')
    await mkdir(join(root, '.kitlane-doctor'))
    await put('a.hl7')
    await watching(() => soon(() => movedTo('done')).toContain('a.hl7'))
  })

  it('takes turns with others, however many files lie there', async () => {
    for (const name of ['a', 'b']) await mkdir(join(root, name))
    for (let n = 0; n < 120; n++) await put(`a/${n}.hl7`, 'MSH of a')
    await put('b/one.hl7', 'MSH of b')
    const order = await watching(
      async (bodies) => {
        await soon(async () => bodies.length).toBe(121)
        return bodies
      },
      { quietMs: 500 },
    )
    expect(order.indexOf('MSH of b')).toBeLessThan(101)
  })

  it('does not hold up the others by a file for which the service is always busy', async () => {
    await put('a.hl7', 'heavy')
    await put('b.hl7')
    await mkdir(join(root, 'northside'))
    await put('northside/c.hl7')
    await watching(
      async () => {
        await soon(() => movedTo('done')).toEqual(['b.hl7'])
        await soon(() => movedTo('northside', 'done')).toEqual(['c.hl7'])
      },
      {},
      (body) => (body === 'heavy' ? 503 : 200),
    )
    expect(await movedTo()).toEqual(['a.hl7', 'done', 'northside'])
  })
})

describe('the doctor of that folder', () => {
  const says = async (): Promise<string> => {
    const lines: string[] = []
    const playing = { settings: { labFolder: { path: root, token: 'kl_oper_x' } }, send: async () => 422 }
    for await (const { status, found } of playFolder(playing as unknown as Parameters<typeof playFolder>[0]))
      lines.push(`${status} ${found}`)
    return lines.join('\n')
  }

  it('writes to no file to which a laboratory has put a link', async () => {
    const victim = join(root, '.victim')
    await writeFile(victim, 'precious')
    const question = join(root, '.kitlane-doctor')
    await writeFile(question, '')
    const asked = async () => {
      // The service has just looked, and looks again in a second: until then the link is there.
      await soon(() => stat(question).catch(() => 'gone')).toBe('gone')
      await symlink(victim, question)
      return says()
    }
    expect(await watching(asked, { lookMs: 1000 })).toContain('ok The service looks into it')
    expect(await readFile(victim, 'utf8')).toBe('precious')
  })

  it('is answered while a folder rests, and says in which folders files wait', async () => {
    await mkdir(join(root, 'northside'))
    await symlink(tmpdir(), join(root, 'northside', 'done'))
    await put('northside/a.hl7')
    const later = Date.now() + 3_600_000
    const text = await watching(
      async (bodies) => {
        await soon(async () => bodies.length).toBe(1)
        vi.useFakeTimers({ toFake: ['Date'], now: later })
        return says().finally(() => vi.useRealTimers())
      },
      { againMs: 600_000 },
    )
    expect(text).toBe('FAIL Files wait for more than ten minutes: 1 in northside.')
  })
})

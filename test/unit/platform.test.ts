import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { DatabaseError } from 'pg'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { explain } from '../../src/cli/explain.ts'
import { AppError } from '../../src/domain/errors.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { constantTimeEqual, hashPassword, open, seal, secretKey, verifyPassword } from '../../src/platform/crypto.ts'
import { keepEncryptionKey } from '../../src/platform/key-file.ts'
import { createLogger } from '../../src/platform/log.ts'
import { anyText } from '../harness/any-text.ts'

const directory = mkdtempSync(join(tmpdir(), 'kitlane-platform-'))
afterAll(() => rmSync(directory, { recursive: true }))

describe('a sealed value', () => {
  const key = secretKey(Buffer.alloc(32, 1))

  it('opens with its key, in its place, to what it was', () => {
    fc.assert(
      fc.property(anyText(), fc.string(), (text, place) => {
        expect(open(key, seal(key, text, place), place).toString()).toBe(Buffer.from(text).toString())
      }),
    )
    expect(seal(key, 'x', 'p').equals(seal(key, 'x', 'p'))).toBe(false)
  })

  it('opens in a place with a long name, and in no place whose name begins so', () => {
    const sealed = seal(key, 'secret', 'ä'.repeat(1000))
    expect(open(key, sealed, 'ä'.repeat(1000)).toString()).toBe('secret')
    expect(() => open(key, sealed, 'ä'.repeat(999))).toThrow()
  })

  it('does not open in another place, with another key, or with any byte changed', () => {
    const sealed = seal(key, 'secret', 'customers/1')
    expect(() => open(key, sealed, 'customers/2')).toThrow()
    expect(() => open(secretKey(Buffer.alloc(32, 2)), sealed, 'customers/1')).toThrow('another key')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => open(key, changed, 'customers/1')).toThrow()
      expect(() => open(key, sealed.subarray(0, at), 'customers/1')).toThrow()
    }
  })

  it('is not what compares in constant time gets wrong', () => {
    expect([constantTimeEqual('a', 'a'), constantTimeEqual('a', 'b'), constantTimeEqual('a', 'aa')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

it('a password is kept as Argon2id with 46 MiB and verified', async () => {
  const hashed = await hashPassword('correct horse')
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
  expect(await Promise.all(['correct horse', 'x', 'y', ''].map((text) => verifyPassword(hashed, text)))).toEqual([
    true,
    false,
    false,
    false,
  ])
  await expect(verifyPassword('no hash', 'x')).rejects.toThrow()
})

describe('the encryption key of one machine', () => {
  it('is kept beside the data, readable by its owner only, and stays the same', () => {
    const folder = join(directory, 'made', 'data')
    const first = keepEncryptionKey(folder)
    expect(first).toHaveLength(32)
    expect(keepEncryptionKey(folder)).toEqual(first)
    const path = join(folder, 'encryption.key')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toBe(`${first.toString('base64')}\n`)
  })

  it('is not made again when its file is broken or cannot be read', () => {
    writeFileSync(join(directory, 'encryption.key'), 'broken')
    expect(() => keepEncryptionKey(directory)).toThrow('encryption.key holds no encryption key')
    writeFileSync(join(directory, 'file'), '')
    expect(() => keepEncryptionKey(join(directory, 'file'))).toThrow('is a file, or below one (ENOTDIR)')
  })
})

describe('a log line', () => {
  function lines(write: (log: ReturnType<typeof createLogger>) => void): string {
    let text = ''
    write(
      createLogger({
        level: 'trace',
        stream: {
          write: (line) => {
            text += line
          },
        },
      }),
    )
    return text
  }

  it('holds the fields on the list and its message', () => {
    const line = lines((log) => log.info({ reqId: 'r1', statusCode: 200, route: '/api/v1/kits/:kitID' }, 'answered'))
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      reqId: 'r1',
      statusCode: 200,
      route: '/api/v1/kits/:kitID',
      msg: 'answered',
    })
  })

  it('of an outage comes once a second for each kind, with how many more there were, its code and its message', () => {
    vi.useFakeTimers()
    try {
      const written: Record<string, unknown>[] = []
      const log = createLogger({ level: 'trace', stream: { write: (line) => void written.push(JSON.parse(line)) } })
      const lost = () => new Error('Connection terminated unexpectedly')
      const away = () => new AppError('OVERLOADED', 'The database cannot be reached', { cause: lost() })
      const refused = () =>
        Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED', syscall: 'connect' })
      for (let round = 0; round < 300; round++) {
        log.error({ err: away(), requestId: `r${round}` }, 'request failed')
        log.warn({ err: refused() }, 'idle database connection lost')
      }
      log.error({ err: new TypeError('a mistake') }, 'request failed')
      log.error({ err: new TypeError('a mistake') }, 'request failed')
      expect(written.map(({ msg, more, err }) => [msg, more, (err as { code?: string }).code])).toEqual([
        ['request failed', undefined, 'OVERLOADED'],
        ['idle database connection lost', undefined, 'ECONNREFUSED'],
        ['request failed', undefined, undefined],
        ['request failed', undefined, undefined],
      ])
      expect(written[0]).toMatchObject({
        err: { message: 'The database cannot be reached', cause: { message: 'Connection terminated' } },
      })
      vi.advanceTimersByTime(1000)
      expect(written.slice(4).map(({ msg, more, requestId }) => [msg, more, requestId])).toEqual([
        ['request failed', 298, 'r299'],
        ['idle database connection lost', 298, undefined],
      ])
      vi.advanceTimersByTime(5000)
      expect(written).toHaveLength(6)
      log.error({ err: away() }, 'request failed')
      expect(written).toHaveLength(7)
    } finally {
      vi.useRealTimers()
    }
  })

  it('never holds anything else: bodies, nested objects, child bindings, templates, error texts, database details', () => {
    const error = Object.assign(new Error('invalid input: "canary"\n    at canary'), {
      name: 'DatabaseError',
      code: '23505',
      detail: 'Key (email)=(canary)',
      constraint: 'customers_email',
      table: 'customers',
      where: 'canary',
      parameters: ['canary'],
    })
    const text = lines((log) => {
      log.info({ email: 'canary', body: { a: 'canary' }, req: { url: 'canary' }, method: { a: 'canary' } }, 'one')
      log.info({ orderId: 'not an id canary', statusCode: 'canary' }, 'two')
      log
        .child({ email: 'canary', reqId: 'r2' })
        .child({ name: 'canary' })
        .info({ body: 'canary' }, 'three %s', 'canary')
      log.info({ path: '/customers/canary', url: '/x?canary', route: '/x?canary' }, 'Route GET:/canary?a=1 not found')
      log.error(error)
      log.error({ err: error })
      log.error({ err: error }, error.message)
      log.error({ err: error, req: { body: 'canary' } }, `Failed: ${error.message}`)
      log.error({ err: new Error('outer canary', { cause: error }) }, 'five')
      log.error({ err: { message: 'canary', code: 'canary canary', queue: 'canary' } }, 'six')
      log.error({ err: 'canary' }, 'seven')
      log.child({ reqId: 'r3' }, { serializers: { reqId: () => 'canary' }, msgPrefix: 'canary' }).warn('eight')
    })
    expect(text).not.toContain('canary')
    expect(text.trim().split('\n')).toHaveLength(12)
    expect(text).toContain('"code":"23505"')
    expect(text).toContain('"constraint":"customers_email"')
    expect(text).toContain('"reqId":"r2"')
    expect(text).toContain('platform.test.ts')
  })

  it('holds the message of an error whose message is ours', () => {
    expect(lines((log) => log.warn({ err: new AppError('KIT_NOT_FOUND', 'No such kit') }, 'refused'))).toContain(
      '"code":"KIT_NOT_FOUND","message":"No such kit"',
    )
  })
})

it('a manual clock moves only when told', () => {
  const clock = manualClock(new Date('2026-01-01T00:00:00Z'))
  clock.advance(1500)
  expect(clock.now().toISOString()).toBe('2026-01-01T00:00:01.500Z')
})

describe('what the terminal says of an error of PostgreSQL', () => {
  const said = (code: string, message: string, hint?: string) =>
    explain(Object.assign(new DatabaseError(message, 0, 'error'), { code, hint, severity: 'ERROR' }))

  it('is its own sentence, where that speaks of the server and its schema', () => {
    expect(said('42501', 'permission denied for schema public')).toBe(
      'The database refuses this: permission denied for schema public. PostgreSQL calls it 42501.',
    )
    expect(said('55006', 'database "kitlane" is being accessed by other users', 'End them first')).toContain(
      'accessed by other users. End them first. PostgreSQL calls it 55006.',
    )
    expect(explain(Object.assign(new Error('none of them'), { code: '08001' }))).toContain('target_session_attrs')
  })

  it('is not repeated where it quotes a value', () => {
    for (const code of ['22P02', '23505', 'P0001'])
      expect(said(code, 'invalid input syntax for type uuid: "canary"')).not.toContain('canary')
  })
})

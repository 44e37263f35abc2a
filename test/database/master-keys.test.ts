import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealedTablesOf } from '../../src/modules/define-module.ts'
import { modules } from '../../src/modules/index.ts'
import { rotateMasterKey } from '../../src/modules/keys/secrets.ts'
import { keysStatus } from '../../src/modules/keys/service.ts'
import { openDatabase } from '../../src/service/open.ts'
import { type GivenSettings, usualSettings } from '../../src/settings.ts'
import { type KmsStandIn, kmsCredentials, kmsRegion, startKms } from '../harness/kms-stand-in.ts'
import { anOrder, recipient } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const KEY = 'arn:aws:kms:eu-central-1:111122223333:key/kitlane'
const first = randomBytes(32)
const second = randomBytes(32)
const actor = { name: 'test' }
let kms: KmsStandIn
let world: World
let clinic: TestBusiness

beforeAll(async () => {
  kms = await startKms([KEY])
  world = await ownWorld('has a key of its own', { encryptionKey: first })
  clinic = await world.business()
})
afterAll(async () => {
  await world.stop()
  await kms.stop()
})

const opened = async <T>(
  given: GivenSettings,
  work: (opened: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
) => {
  const database = await openDatabase(world.urls, { settings: usualSettings(given) })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
const masters = (given: GivenSettings) =>
  opened(given, async ({ database }) => (await keysStatus(database, actor)).masters.map(({ master }) => master))
const atKms = (aws = kmsCredentials): GivenSettings => ({
  kms: { keyId: KEY, endpointUrl: kms.url },
  aws: { region: kmsRegion, ...aws },
})

// The key of secrets seals these, and stays.
const bySecretsKey = ['registration_drafts.sealed', 'sso_attempts.sealed']

it('every column of sealed values is sealed again by a rotation, which destroys the old keys', async () => {
  const owner = await world.owner()
  const { rows } = await owner.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea' and column_name like 'sealed%'`,
  )
  const declared = sealedTablesOf(modules).flatMap(({ declaration: { table, column = 'sealed', derived = {} } }) =>
    [column, ...Object.keys(derived).filter((one) => one.startsWith('sealed'))].map((one) => `${table}.${one}`),
  )
  expect(rows.map(({ name }) => name).sort()).toEqual([...declared, ...bySecretsKey].sort())
})

describe('the master key', () => {
  it('is replaced by another while the service runs, and the one before is not needed afterwards', async () => {
    const { status, body } = await clinic.live.post('/create-order', anOrder({ paymentMethod: 'credits', recipient }))
    expect(status).toBe(201)
    const made = await clinic.live.post('/webhooks', { url: 'https://example.com/hook' })
    expect(made.status, made.text).toBe(201)
    await expect(masters({ encryptionKey: second })).rejects.toThrow('not the one that sealed')
    const both = { encryptionKey: second, encryptionKeyPrevious: first }
    const { keys } = await opened(both, ({ database }) => rotateMasterKey(database, actor))
    expect(keys).toBeGreaterThanOrEqual(4)
    expect(await masters({ encryptionKey: second })).toHaveLength(1)
    await expect(masters({ encryptionKey: first })).rejects.toThrow('not the one that sealed')
    // The process with the first key goes on with the keys that it holds.
    expect((await clinic.live.get(`/orders/${body.orderId}`)).body.recipientEmail).toBe(recipient.email)
  })

  it('of AWS KMS wraps and unwraps there, by signed requests that name the realm', async () => {
    const { keys } = await opened({ ...atKms(), encryptionKey: second }, ({ database }) =>
      rotateMasterKey(database, actor),
    )
    expect(keys).toBeGreaterThanOrEqual(4)
    expect(await masters(atKms())).toEqual([`kms:${KEY}`])
    const contexts = kms.asked.map(({ context }) => context)
    expect(contexts.every(({ kitlane, realm }) => kitlane === 'data_keys' && /^\d+$/.test(realm ?? ''))).toBe(true)
    expect(kms.asked.map(({ action }) => action)).toEqual(expect.arrayContaining(['Encrypt', 'Decrypt']))
    expect(kms.problems).toEqual([])
    const realm = await opened(atKms(), ({ database }) =>
      database.asSystem(actor, async (tx) => (await tx.vault.of(0)).realmId),
    )
    expect(realm).toBe(0)
  })

  it('of AWS KMS is asked while no transaction is open, also for keys that only a transaction knows to need', async () => {
    const owner = await world.owner()
    const { rows: realms } = await owner.query<{ id: number }>('select id from realms')
    const open: number[] = []
    const transactionsOf = async (pid: number) =>
      // A transaction holds a lock of its own as long as it lasts.
      (await owner.query(`select from pg_locks where pid = $1 and locktype = 'virtualxid'`, [pid])).rowCount
    await opened(atKms(), async ({ database }) => {
      let pid = 0
      const before = kms.asked.length
      kms.beforeAnswer = async () => {
        open.push((await transactionsOf(pid)) ?? -1)
      }
      let begun = 0
      const ids = await database.asSystem(actor, async (tx) => {
        begun++
        pid = (await tx.row(sql<{ pid: number }>`select pg_backend_pid() as pid`)).pid
        expect(await transactionsOf(pid)).toBe(1)
        return [...(await tx.vault.ofAll(realms.map(({ id }) => id))).keys()]
      })
      kms.beforeAnswer = undefined
      expect(ids).toEqual(realms.map(({ id }) => id))
      expect([begun, kms.asked.length > before]).toEqual([2, true])
    })
    expect(new Set(open)).toEqual(new Set([0]))
  })

  it('of AWS KMS is refused with wrong credentials', async () => {
    const wrong = { ...kmsCredentials, secretAccessKey: 'another' }
    await expect(masters(atKms(wrong))).rejects.toThrow()
    expect(kms.problems).toContain('InvalidSignatureException')
  })
})

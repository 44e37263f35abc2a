import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StartError } from '../../src/domain/errors.ts'
import { seal, secretKey } from '../../src/platform/crypto.ts'
import { openDatabase } from '../../src/service/open.ts'
import { usualSettings } from '../../src/settings.ts'
import { ownWorld, type World } from '../harness/world.ts'

const encryptionKey = randomBytes(32)
const another = randomBytes(32)
let world: World
let owner: Client

beforeAll(async () => {
  world = await ownWorld('has a key of its own', { encryptionKey })
  owner = await world.owner()
})
afterAll(() => world.stop())

const opens = async (key: Buffer) => {
  const { close } = await openDatabase(world.urls, { settings: usualSettings({ encryptionKey: key }) })
  await close()
  return true
}

/** Runs the migration again, as on a database that does not know its key yet. */
async function migrateAgain(): Promise<void> {
  const file = await readFile(new URL('../../migrations/0019_encryption_key.sql', import.meta.url), 'utf8')
  await owner.query('reset role')
  await owner.query(`drop table encryption_key; ${file}; set role kitlane_system`)
}

describe('an encryption key', () => {
  it('that is not the one of the database is refused at the start, with a sentence', async () => {
    expect(await opens(encryptionKey)).toBe(true)
    await expect(opens(another)).rejects.toThrow(StartError)
    await expect(opens(another)).rejects.toThrow(/not the one that sealed the secrets .* restore encryption\.key/)
  })

  it('of a database from before counts by what was sealed with it', async () => {
    const { live } = await world.business()
    const made = await live.post('/webhooks', { url: 'https://example.com/hook' })
    expect(made.status, made.text).toBe(201)
    // Versions before sealed secrets with the master key itself.
    const sealed = seal(secretKey(encryptionKey), 'whsec_before', 'webhook_endpoints.secret')
    await owner.query('update webhook_endpoints set secret = $1', [sealed])
    await migrateAgain()
    await expect(opens(another)).rejects.toThrow(StartError)
    expect(await opens(encryptionKey)).toBe(true)
  })

  it('of a database that sealed nothing yet is the first that comes', async () => {
    // It would make its keys again.
    await world.service.stop({ atOnce: true })
    await owner.query('reset role; truncate webhook_endpoints, data_keys cascade; set role kitlane_system')
    await migrateAgain()
    expect(await opens(another)).toBe(true)
    await expect(opens(encryptionKey)).rejects.toThrow(StartError)
    await owner.query('reset role; truncate encryption_key, data_keys; set role kitlane_system')
    expect(await opens(encryptionKey)).toBe(true)
  })
})

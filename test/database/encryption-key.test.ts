import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StartError } from '../../src/domain/errors.ts'
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

describe('an encryption key', () => {
  it('that is not the one of the database is refused at the start, with a sentence', async () => {
    expect(await opens(encryptionKey)).toBe(true)
    await expect(opens(another)).rejects.toThrow(StartError)
    await expect(opens(another)).rejects.toThrow(/not the one that sealed the secrets .* restore encryption\.key/)
  })

  it('of a database that sealed nothing yet is the first that comes', async () => {
    // It would make its keys again.
    await world.service.stop({ atOnce: true })
    await owner.query(
      'reset role; truncate webhook_endpoints, data_keys, encryption_key cascade; set role kitlane_system',
    )
    expect(await opens(another)).toBe(true)
    await expect(opens(encryptionKey)).rejects.toThrow(StartError)
    await owner.query('reset role; truncate encryption_key, data_keys; set role kitlane_system')
    expect(await opens(encryptionKey)).toBe(true)
  })
})
